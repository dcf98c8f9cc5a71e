"""Engines are found by name, by path, and with parameters; adapters say nothing that the protocol does not know."""

from __future__ import annotations

import inspect
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from conformance.engines import EngineError, installed, load, parse
from conformance.protocol import vocabulary

PARSED = {
    "reference": ("adapters.with_reference:ReferenceAdapter", {}),
    "torch:device=xpu": ("adapters.with_torch:TorchAdapter", {"device": "xpu"}),
    "jax:jit": ("adapters.with_jax:JaxAdapter", {"jit": ""}),
    "my.module:Adapter": ("my.module:Adapter", {}),
    "module:Adapter:a=1,b=2": ("module:Adapter", {"a": "1", "b": "2"}),
}


@pytest.mark.parametrize("text", PARSED)
def test_a_spec_is_taken_apart(text: str) -> None:
    """Names come from the entry points; everything else is module and class; parameters follow."""
    spec = parse(text)
    assert (spec.target, dict(spec.parameters)) == PARSED[text]


def test_a_parameter_may_choose_another_adapter() -> None:
    """A parameter without a value that the adapter lists as a variant names the class; the rest goes to that class."""
    assert load(parse("tests.zoo.adapters:Varied:other")).name == "varied:other"
    with pytest.raises(EngineError, match="takes no parameters, got: size"):
        load(parse("tests.zoo.adapters:Varied:other,size=1"))
    with pytest.raises(EngineError, match="takes no parameters, got: other; its variants are: other"):
        load(parse("tests.zoo.adapters:Varied:other=1"))


@pytest.mark.parametrize("text", ["", "tensorflow", "torch:1=2", ":", "a b:C", "module:"])
def test_what_is_no_spec_raises_an_error(text: str) -> None:
    """The message repeats the text."""
    with pytest.raises(EngineError, match=r"engine ''|engine '.+'"):
        parse(text)


@pytest.mark.parametrize(("name", "module", "extra"), [("hips_autograd", "autograd", "hips"), ("jax", "jax", "jax")])
def test_the_extra_that_brings_a_missing_engine_is_named(
    name: str, module: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It need not be called as the module is; what no extra brings is named itself."""
    # None makes the import fail, as if the engine were not installed.
    monkeypatch.setitem(sys.modules, module, None)
    # Loaded by an earlier test, an adapter would not try to import its engine again.
    for loaded in [loaded for loaded in sys.modules if loaded.startswith(("adapters.with_", "adapters.of_"))]:
        monkeypatch.delitem(sys.modules, loaded)
    with pytest.raises(EngineError, match=rf"pip install 'autograd-conformance\[{extra}\]'"):
        load(parse(name))


def test_an_adapter_outside_the_repository_registers_itself(tmp_path: Path) -> None:
    """An entry point of another distribution is as good as ours."""
    site = tmp_path / "lion-1.0.dist-info"
    site.mkdir()
    (site / "METADATA").write_text("Metadata-Version: 2.1\nName: lion\nVersion: 1.0\n")
    (site / "entry_points.txt").write_text("[autograd_conformance.adapters]\nlion = lion:Lion\n")
    source = "from tests.zoo.adapters import Healthy\nclass Lion(Healthy):\n    name = 'lion'\n"
    (tmp_path / "lion.py").write_text(source)
    code = f"""
        import sys
        sys.path.insert(0, {str(tmp_path)!r})
        from conformance.engines import load, parse
        assert load(parse('lion')).name == 'lion'
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_reference_adapter_speaks_the_protocol() -> None:
    """Every public name is a verb, with its arguments but for absent ones, or part of the declaration."""
    adapter = load(parse("reference"))
    own = {
        "name",
        "version",
        "held_to",
        "absences",
        "limitations",
        "inventory",
        "known_failures",
        "missing_dtypes",
        "joint",
        "compile_operation",
        "own_functions",
        "parameters",
        "variants",
    }
    own |= {"global_state", "restore", "set_up", "torch"}
    absent = {feature for absence in adapter.absences for feature in absence.features}
    for name in (name for name in dir(adapter) if not name.startswith("_")):
        if name in vocabulary():
            spoken = list(inspect.signature(getattr(adapter, name)).parameters)
            arguments = vocabulary()[name].signature.parameters
            taken = [word for word in spoken if f"{name}.{word}" not in absent]
            assert taken == [word for word in arguments if f"{name}.{word}" not in absent], name
        else:
            assert name in own or any(verb.startswith(f"{name}.") for verb in vocabulary()), name


def test_every_entry_point_names_an_installed_adapter() -> None:
    """The modules exist, whether or not their engines do."""
    from importlib.util import find_spec

    assert [point.value for point in installed().values() if find_spec(point.module) is None] == []
