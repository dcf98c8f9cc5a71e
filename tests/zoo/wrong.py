"""Adapters that `adapter check` is to find: each is wrong in one way, but for the first, which is right."""

import atexit
import contextlib
import os
import signal
import subprocess
import sys
import time

import numpy

from conformance.protocol import Absence, Adapter


class Functions:
    def sin(self, x):
        return numpy.sin(x)


class Right(Adapter):
    name = "right"
    version = "1.0"
    np = Functions()

    def array(self, value, dtype=None):
        return numpy.array(value, dtype)

    def to_numpy(self, x):
        return numpy.asarray(x)

    def grad(self, program, argnums=0):
        # Central differences, which are right to eight digits: the check asks for five.
        return lambda x: (program(x + 1e-4) - program(x - 1e-4)) / 2e-4


class WrongSin(Right):
    np = type("Wrong", (Functions,), {"sin": lambda self, x: numpy.cos(x)})()


class SingleFloats(Right):
    def array(self, value, dtype=None):
        made = numpy.array(value, dtype)
        return made.astype("float32") if made.dtype == "float64" else made


class WritesWhenRead(Right):
    def to_numpy(self, x):
        numpy.add(x, 1, out=x, casting="unsafe")
        return numpy.asarray(x - 1)


class GivesLists(Right):
    def to_numpy(self, x):
        return x.tolist()


class HalfGradient(Right):
    def grad(self, program, argnums=0):
        return lambda x: program(x) / x


class Misspelt(Right):
    def value_and_grat(self, program):
        return None


class WrongArguments(Right):
    def detach(self):
        return None


class WrongOrder(Right):
    def vjp(self, program, has_aux=False, *primals):
        return None


class HasIt(Right):
    def has_it(ad):
        raise AssertionError("the engine has it")

    absences = (Absence(("backward",), "There is none.", "nowhere", has_it),)


class Drifting(Right):
    state = 0

    def global_state(self):
        self.state += 1
        return {"state": self.state}


class Raising(Right):
    np = type("Raising", (Functions,), {"sin": lambda self, x: x.sine()})()


class Dying(Right):
    np = type("Dying", (Functions,), {"sin": lambda self, x: os.kill(os.getpid(), 11)})()


class Leaving(Right):
    np = type("Leaving", (Functions,), {"sin": lambda self, x: os._exit(2)})()


class Printing(Right):
    def array(self, value, dtype=None):
        os.write(1, b"noise")
        print("noise")
        return numpy.array(value, dtype)


class Hanging(Right):
    np = type("Hanging", (Functions,), {"sin": lambda self, x: time.sleep(600)})()


class NoArrays(Adapter):
    name = "none"
    version = "1.0"


class RaisesItself(Right):
    def vjp(self, program, *primals):
        raise NotImplementedError("vjp")


class NoDoubles(Right):
    """Right, for an engine of single floats and no complex numbers."""

    missing_dtypes = frozenset({"float64", "complex128", "complex64"})

    def array(self, value, dtype=None):
        made = numpy.array(value, dtype)
        if made.dtype.kind == "c":
            # Raises a TypeError for a complex number.
            float(made.flat[0].item())
        return made.astype("float32") if made.dtype == "float64" else made

    def grad(self, program, argnums=0):
        # Exact for x * x, which the check asks: differences in single precision would be wrong in the third digit.
        return lambda x: 2 * x


class DoublesAfterAll(Right):
    missing_dtypes = frozenset({"float64"})


class ImpreciseSin(Right):
    """Right, but for an engine that computes in single precision."""

    np = type("Imprecise", (Functions,), {"sin": lambda self, x: numpy.sin(x.astype("float32")).astype("float64")})()


class ProbesItself(Right):
    def nothing(ad):
        pass

    absences = (Absence(("backward",), "There is none.", "nowhere", nothing),)


class ProbesEveryEngine(Right):
    def adds(ad):
        assert float(ad.to_numpy(ad.array(1.0) + ad.array(1.0))) == 2.0

    absences = (Absence(("backward",), "There is none.", "nowhere", adds),)


class RaisesOutside(Right):
    np = type("RaisingOutside", (Functions,), {"sin": lambda self, x: (x for x in [x]).throw(KeyboardInterrupt)})()


class RaisesOnSight(Right):
    @property
    def detach(self):
        raise RuntimeError("do not look")


class Stopping(Right):
    np = type("Stopping", (Functions,), {"sin": lambda self, x: os.kill(os.getpid(), signal.SIGSTOP)})()


class HangsInArray(Right):
    def array(self, value, dtype=None):
        time.sleep(600)


class HangsOnSight(Right):
    @property
    def detach(self):
        time.sleep(600)


class HangsInState(Right):
    asked = 0

    def restore(self, state):
        # Called first when the state is read twice, and again by the last question, which restores it.
        self.asked += 1
        if self.asked > 1:
            time.sleep(600)


class HangsAtExit(Right):
    def __init__(self, parameters=None):
        super().__init__(parameters)
        atexit.register(time.sleep, 600)


class Scribbling(Right):
    def array(self, value, dtype=None):
        # Among them is the pipe by which answers go, under whatever number the process has it.
        for number in range(3, 20):
            with contextlib.suppress(OSError):
                os.write(number, b"\xff no answer\n")
        return numpy.array(value, dtype)


class LeavesAProcess(Right):
    def __init__(self, parameters=None):
        super().__init__(parameters)
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])


class TheirVersion(str):
    def __eq__(self, other):
        raise TypeError("compare versions with versions")

    __hash__ = str.__hash__


class HasAVersionOfItsOwn(Right):
    version = TheirVersion("2.13.0+cpu")
