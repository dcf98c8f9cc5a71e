"""Programs of the transforms, and what is refused: expressions of x and y (2 x 3), v (three numbers) and A (3 x 3)."""

PROGRAMS = {
    # vmap: dimensions and structures
    "vmap": "vmap(torch.sin)(x)",
    "last": "vmap(torch.cumsum, in_dims=(-1, None), out_dims=-1)(x, 0)",
    "middle out": "vmap(lambda a: a.outer(a), out_dims=1)(x)",
    "one of two": "vmap(torch.dot, in_dims=(0, None))(x, v)",
    "dictionary": "vmap(lambda d, s: {'p': d['a'] * s, 'q': [d['b']]}, in_dims=({'a': 0, 'b': 1}, None))"
    "({'a': x, 'b': x.t()}, 2.0)",
    "nested tuple": "vmap(lambda p, q: (p[0] * q, p[1]), in_dims=((0, None), 0), out_dims=(1, 0))((x, v), y)",
    "nested": "vmap(vmap(torch.mul))(x, y)",
    "all pairs": "vmap(vmap(torch.dot, in_dims=(None, 0)), in_dims=(0, None))(x, y)",
    "none out": "vmap(lambda a: (a, 3), out_dims=(0, None))(x)",
    "repeated": "vmap(lambda a: torch.ones(2))(x)",
    "chunks": "vmap(lambda a: a.exp().sum(), in_dims=1, chunk_size=2)(x)",
    "keyword": "vmap(lambda a, k: a * k)(x, k=v)",
    "numbers": "vmap(lambda a, b: a * b + 1)(v, v.float())",
    # operations under vmap
    "matmul": "vmap(torch.matmul)(torch.stack([A, A]), x)",
    "matmul 2": "vmap(lambda m: A @ m @ A.t())(torch.stack([A, A + 1]))",
    "einsum": "vmap(lambda a: torch.einsum('ij,j->i', A, a))(x)",
    "solve": "vmap(lambda b: torch.linalg.solve(A, b))(x)",
    "det": "vmap(lambda s: torch.linalg.det(A * s))(v)",
    "reductions": "vmap(lambda m: (m.sum(), m.mean(0), m.amax(-1), m.prod(), m.var(1),"
    " m.logsumexp(0)))(torch.stack([A, A + 1]))",
    "softmax": "vmap(lambda a: (a.softmax(0), a.log_softmax(-1), a.norm()))(x)",
    "shapes": "vmap(lambda m: (m.t(), m.reshape(-1), m.permute(1, 0), m.flip(0), m.roll(1, 0), m.diagonal(), m.tril()))"
    "(torch.stack([A, A + 1]))",
    "joined": "vmap(lambda a: (torch.cat([a, v]), torch.stack([v, a], -1), a.expand(2, 3), a[None],"
    " a.unsqueeze(-1)))(x)",
    "indices": "vmap(lambda a: (a[0], a[1:], a[..., -1], a[[0, 0, 2]], a[torch.tensor([True, False, True])]))(x)",
    "own index": "vmap(lambda i: v[i])(torch.tensor([2, 0]))",
    "own indices": "vmap(lambda a, i: (a[i], v[i], A[:, i], A[i, 1]))(x, torch.tensor([[2, 0], [1, 1]]))",
    "gather": "vmap(lambda a, i: (a.gather(0, i), a.index_select(0, i), torch.zeros_like(a).scatter(0, i, a[:2])))"
    "(x, torch.tensor([[2, 0], [1, 0]]))",
    "max": "vmap(lambda a: a.max(0))(x)[1]",
    "sort": "vmap(lambda a: tuple(a.sort(descending=True)) + tuple(a.topk(2)) + (a.argmax(), a.argsort()))(x)",
    "where": "vmap(lambda a: (torch.where(a > 0, a, v), a.clamp(-1, 1), a.masked_fill(a < 0, 9.0)))(x)",
    "promotion": "vmap(lambda s, a: (s * a, (s * a).dtype == torch.float32), in_dims=(0, None), out_dims=(0,"
    " None))(v, v.float())",
    # in place
    "in place": "vmap(lambda a: a.clone().mul_(2).add_(v))(x)",
    "store": "vmap(stored)(x)",
    "store at own index": "vmap(lambda a, i: stored_at(a, i))(x, torch.tensor([2, 0]))",
    "view written": "vmap(lambda a: viewed(a))(x)",
    "caller's": "(lambda z: (vmap(lambda a: a.mul_(2))(z), z))(x.clone())",
    # gradients of examples, examples of gradients
    "per example": "vmap(grad(lambda w, a: (w * a).sum() ** 2), in_dims=(None, 0))(v, x)",
    "batch loss": "grad(lambda w: vmap(lambda a: (w * a).sum() ** 2)(x).sum())(v)",
    "grad of vmap of grad": "grad(lambda w: vmap(grad(lambda a: (w * a.sin()).prod()))(x).sum())(v)",
    "vmap of grad of grad": "vmap(grad(grad(lambda s: s**3 * s.sin())))(v)",
    "store, differentiated": "vmap(grad(lambda a: (stored(a) ** 2).sum()))(x)",
    "store, pushed": "[jvp(stored, (v,), (v,)), jacfwd(stored)(v), jvp(vmap(stored), (x,), (y,)),"
    " vmap(jacfwd(stored))(x)]",
    "view, pushed": "[jvp(viewed, (v,), (v,)), jacfwd(viewed)(v), jvp(vmap(viewed), (x,), (y,)),"
    " vmap(jacfwd(viewed))(x)]",
    "view, twice": "[hessian(lambda a: viewed(a).sum())(v), jacrev(jacrev(lambda a: stored(a).prod()))(v)]",
    "view, differentiated": "vmap(grad(lambda a: (viewed(a) ** 2).sum()))(x)",
    "view, differentiated outside": "grad(lambda z: (vmap(viewed)(z) ** 2).sum())(x)",
    "own index, differentiated": "vmap(grad(lambda a, i: (a[i] ** 3).sum()))(x, torch.tensor([[2, 0], [1, 1]]))",
    "sort, differentiated": "vmap(grad(lambda a: (a.sort().values * v).sum()))(x)",
    "tangents": "vmap(lambda t: jvp(torch.sin, (v,), (t,))[1])(torch.eye(3, dtype=torch.float64))",
    "jvp of vmap": "jvp(vmap(lambda a: a.sin().prod()), (x,), (y,))",
    "vmap of jvp": "vmap(lambda a, t: jvp(lambda b: b.sin().prod(), (a,), (t,)))(x, y)",
    "vmap of vjp": "vmap(lambda a, c: vjp(lambda b: b * b.sum(), a)[1](c))(x, y)",
    "rows": "vmap(vjp(lambda a: a * a.sum(), v)[1])(torch.eye(3, dtype=torch.float64))",
    "confusion": "grad(lambda s: s * grad(lambda r: s + r)(s))(v[0])",
    "confusion forward": "jvp(lambda s: s * jvp(lambda r: s + r, (s,), (one,))[1], (v[0],), (one,))",
    "confusion mixed": "grad(lambda s: s * jvp(lambda r: s * r, (s,), (one,))[1])(v[0])",
    "confusion batched": "vmap(grad(lambda s: s * vmap(grad(lambda r: s * r * r))(v).sum()))(v)",
    # jacobians
    "jacrev": "jacrev(f)(v)", "jacfwd": "jacfwd(f)(v)", "hessian": "hessian(g)(v)",
    "forward over reverse": "jacfwd(jacrev(g))(v)", "reverse over forward": "jacrev(jacfwd(g))(v)",
    "reverse over reverse": "jacrev(jacrev(g))(v)", "forward over forward": "jacfwd(jacfwd(g))(v)",
    "jacrev chunks": "jacrev(f, chunk_size=2)(v)",
    "argnums": "(jacrev(torch.mul, argnums=(0, 1))(v, v), jacfwd(torch.mul, argnums=1)(v, v), grad(torch.dot,"
    " -1)(v, 2 * v))",
    "structures": "jacrev(lambda d: {'s': d['a'] * d['b'], 't': (d['b'].sum(),)})({'a': v, 'b': v})",
    "structures forward": "jacfwd(lambda d: {'s': d['a'] * d['b'], 't': (d['b'].sum(),)})({'a': v, 'b': v})",
    "aux": "(grad(lambda a: (a.sum(), a), has_aux=True)(v), grad_and_value(lambda a: ((a * a).sum(), {'k': a}),"
    " has_aux=True)(v),"
    " jacrev(lambda a: (a * a, a), has_aux=True)(v), jacfwd(lambda a: (a * a, a), has_aux=True)(v))",
    "aux of pairs": "(vjp(lambda a: (a * a, a.sin()), v, has_aux=True)[2], jvp(lambda a: (a * a, a), (v,),"
    " (v,), has_aux=True))",
    "vmap of jacrev": "vmap(jacrev(f))(x)", "vmap of hessian": "vmap(hessian(g))(x)",
    "jacrev of vmap": "jacrev(vmap(g))(x)",
    # modes
    "outer no_grad": "muted(lambda: grad(g)(v))",
    "inner no_grad": "grad(lambda a: (a * muted(lambda: a * a)).sum())(v)",
    "no_grad around grad": "grad(lambda s: s * muted(lambda: grad(torch.sin)(s)))(v[0])",
    "requires grad": "[vmap(torch.sin)(p).requires_grad, grad(g)(p).requires_grad, grad(g)(v).requires_grad,"
    " muted(lambda: vmap(torch.sin)(p)).requires_grad,"
    " vjp(f, v)[0].requires_grad]",
    "through to the leaf": "torch.autograd.grad(vmap(grad(g))(p[None]).sum(), p)",
    "weights in vmap": "torch.autograd.grad(vmap(lambda a: (a * p).sin().sum())(x).sum(), p)",
    "weights in vmap of grad": "torch.autograd.grad(vmap(grad(lambda a: (a * p).sin().sum()))(x).sum(), p)",
    "autograd in vmap": "(lambda out: vmap(lambda c: torch.autograd.grad(out, p, c)[0])(torch.eye(3,"
    " dtype=torch.float64)))(p * p)",
    "batched gradients": "torch.autograd.grad(p * p, p, torch.eye(3, dtype=torch.float64), is_grads_batched=True)",
    # torch.autograd.functional
    "jacobian": "[F.jacobian(f, v, vectorize=True), F.jacobian(f, v, vectorize=True, strategy='forward-mode')]",
    "jacobian of two": "[F.jacobian(torch.mul, (v, v), vectorize=True), F.jacobian(torch.mul, (v, v), vectorize=True,"
    " strategy='forward-mode'), F.jacobian(lambda a: (a * 2, a.sum()), v, vectorize=True),"
    " F.jacobian(lambda a: (a * 2, a.sum()), v, vectorize=True, strategy='forward-mode')]",
    "hessian functional": "[F.hessian(g, v, vectorize=True), F.hessian(g, v, vectorize=True,"
    " outer_jacobian_strategy='forward-mode'), F.hessian(lambda a, b: (a * a * b).sum(), (v, v), vectorize=True)]",
    # custom functions
    "generated": "vmap(Cube.apply)(x)", "generated, differentiated": "vmap(grad(lambda s: Cube.apply(s)))(v)",
    "generated, differentiated outside": "grad(lambda z: vmap(lambda a: Cube.apply(a).sum())(z).sum())(x)",
    "generated, shared": "grad(lambda w: vmap(lambda a: Times.apply(a, w).sum())(x).sum())(v)",
    "generated, shared, inside": "vmap(grad(lambda w, a: Times.apply(a, w).sum()), in_dims=(None, 0))(v, x)",
    "generated, pushed": "[jvp(vmap(Cube.apply), (x,), (y,)), jacfwd(Cube.apply)(v),"
    " vmap(lambda t: jvp(Cube.apply, (v,), (t,))[1])(x)]",
    "generated twice": "[vmap(vmap(Cube.apply))(x), hessian(lambda a: Cube.apply(a).sum())(v),"
    " vmap(grad(grad(Cube.apply)))(v)]",
    "own rule": "[vmap(Mapped.apply, in_dims=(0, None))(x, 2), vmap(Mapped.apply, in_dims=(1, None))(x, 2)]",
    "own rule, differentiated": "[vmap(grad(lambda a: Mapped.apply(a, 2).sum()))(x),"
    " grad(lambda z: vmap(lambda a: Mapped.apply(a, 3))(z).sum())(x)]",
    "shapes of random": "[tuple(vmap(lambda a: a + torch.rand(3), randomness=r)(x).shape) for r in ('same',"
    " 'different')]",
    "random same": "same(vmap(lambda a: torch.rand(3), randomness='same')(x))",
    "random different": "same(vmap(lambda a: torch.rand(3), randomness='different')(x))",
    "random chunks": "same(vmap(lambda a: torch.rand(3), randomness='same', chunk_size=1)(x))",
    "random numbers": "seeded(lambda: vmap(lambda a: torch.randn(3), randomness='different')(x.float()))",
}  # fmt: skip

# Each program is refused, by an exception of the given kind that says this.
REFUSED = {
    "number mapped": ("vmap(torch.mul)(x, 2)", "ValueError", "cannot vmap over non-Tensor"),
    "nothing mapped": ("vmap(torch.sin, in_dims=(None,))(x)", "ValueError", "at least one Tensor"),
    "no arguments": ("vmap(lambda: 1)()", "ValueError", "no inputs"),
    "sizes": ("vmap(torch.mul)(x, v)", "ValueError", "same size in the mapped dimension"),
    "a list": ("vmap(torch.mul, in_dims=[0, 0])(x, x)", "ValueError", "int or a"),
    "out of range": ("vmap(torch.sin, in_dims=2)(x)", "ValueError", "expected in_dim to satisfy"),
    "too few": ("vmap(torch.mul, in_dims=(0,))(x, x)", "ValueError", "not compatible with the structure"),
    "no integer": ("vmap(torch.sin, in_dims=(0.5,))(x)", "ValueError", "integer dimension or None"),
    "number returned": ("vmap(lambda a: 3)(x)", "ValueError", "must only return Tensors"),
    "batch for all": ("vmap(torch.sin, out_dims=None)(x)", "ValueError", "can not return a BatchedTensor"),
    "too few out": ("vmap(lambda a: (a, a), out_dims=(0,))(x)", "ValueError", "not compatible with the structure"),
    "out of range out": ("vmap(torch.sin, out_dims=3)(x)", "IndexError", "out of range"),
    "item": ("vmap(lambda a: a.sum().item())(x)", "RuntimeError", ".item()"),
    "if": ("vmap(lambda a: a if a.sum() > 0 else -a)(x)", "RuntimeError", "data-dependent control flow"),
    "float": ("vmap(lambda a: a * float(a.sum()))(x)", "RuntimeError", ".item()"),
    "numpy": ("vmap(lambda a: a.numpy())(x)", "RuntimeError", ""),
    "list": ("vmap(lambda a: a.tolist())(x)", "RuntimeError", ""),
    "mask": ("vmap(lambda a: a[a > 0])(x)", "RuntimeError", "dynamic shape"),
    "nonzero": ("vmap(lambda a: a.nonzero())(x)", "RuntimeError", ""),
    "random": ("vmap(lambda a: a + torch.rand(3))(x)", "RuntimeError", "randomness error mode"),
    "randomness": ("vmap(torch.sin, randomness='x')(x)", "RuntimeError", "Only allowed values"),
    "chunk size": ("vmap(torch.sin, chunk_size=0)(x)", "ValueError", "greater than 0"),
    "into shared": ("vmap(lambda a: into(torch.zeros(3).double(), a))(x)", "RuntimeError", "inplace arithmetic"),
    "escaped": ("leaked() + 1", "RuntimeError", "escaped"),
    "data": ("vmap(lambda a: a.data)(x)", "RuntimeError", "under vmap"),
    "backward": ("grad(lambda a: a.sum().backward())(v)", "RuntimeError", "inside a functorch transform"),
    "requires_grad_": ("vmap(lambda a: a.requires_grad_())(x)", "RuntimeError", "requires_grad_()"),
    "argnums beyond": ("grad(torch.sum, argnums=1)(v)", "RuntimeError", "Got argnum=1, but only 1 positional inputs"),
    "argnums type": ("grad(torch.sum, argnums=1.5)(v)", "RuntimeError", "argnums must be int or"),
    "not scalar": ("grad(torch.sin)(v)", "RuntimeError", "Expected f(*args) to return a scalar"),
    "integers": ("grad(torch.sum)(torch.arange(3))", "RuntimeError", "floating point"),
    "no tensor": ("grad(torch.square)(3.0)", "ValueError", "must be Tensor"),
    "no tensor out": ("grad(lambda a: 3.0)(v)", "RuntimeError", "to return a Tensor"),
    "no aux": ("grad(torch.sum, has_aux=True)(v)", "RuntimeError", "should be a tuple: (output, aux)"),
    "vjp of no tensor": ("vjp(lambda a: 3.0, v)", "RuntimeError", "to return only tensors"),
    "jvp of no tensor": ("jvp(lambda a: 3.0, (v,), (v,))", "RuntimeError", "to return only tensors"),
    "jvp without tuple": ("jvp(torch.sin, v, v)", "RuntimeError", "Expected primals to be a tuple"),
    "jvp structure": ("jvp(torch.sin, (v,), (v, v))", "RuntimeError", "same python structure"),
    "jvp shape": ("jvp(torch.sin, (x,), (v,))", "RuntimeError", "different size"),
    "jvp integers": ("jacfwd(torch.square)(torch.arange(3))", "ValueError", "floating point or complex"),
    "pullback structure": ("vjp(lambda a: (a, a), v)[1](v)", "RuntimeError", "structure"),
    "pullback shape": ("vjp(torch.sin, x)[1](v)", "RuntimeError", "Mismatch in shape"),
    "integers out": ("jacrev(lambda a: a.long())(v)", "RuntimeError", "floating-point or complex"),
    "rows at a time": ("jacrev(torch.sin, chunk_size=0)(v)", "ValueError", "greater than 0"),
    "strategy": ("F.jacobian(f, v, strategy='sideways')", "AssertionError", "strategy"),
    "forward alone": ("F.jacobian(f, v, strategy='forward-mode')", "NotImplementedError", "vectorize=True"),
    "forward graph": (
        "F.jacobian(f, v, create_graph=True, vectorize=True, strategy='forward-mode')",
        "NotImplementedError", "create_graph=True",
    ),
    "strict rows": ("F.jacobian(f, v, strict=True, vectorize=True)", "RuntimeError", "strict=True"),
    "strict forward": (
        "F.hessian(g, v, strict=True, vectorize=True, outer_jacobian_strategy='forward-mode')",
        "RuntimeError", "strict=True",
    ),
    "old style": ("grad(lambda s: Old.apply(s))(v[0])", "RuntimeError", "setup_context"),
    "old style mapped": ("vmap(Old.apply)(v)", "RuntimeError", "setup_context"),
    "no rule": ("vmap(Ruleless.apply)(v)", "RuntimeError", "vmap support"),
    "two rules": ("vmap(TwoRules.apply)(v)", "RuntimeError", "generate_vmap_rule"),
}  # fmt: skip
