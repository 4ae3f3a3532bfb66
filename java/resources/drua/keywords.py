# SPDX-License-Identifier: BSD-3-Clause
# Replaces the operations in Jython's view of drua.Drua by methods that take keyword arguments. The methods also have
# names in snake_case and names of CLIJ2.
from drua import Drua
from drua.engine import Registry


def method(name):
    def call(self, *inputs, **named):
        return self.op(name, named, *inputs)

    call.__name__ = str(name)
    call.__doc__ = Drua.help(name)
    return call


def missing(self, name):
    if not Drua.hasOperation(name):
        raise AttributeError(Drua.help(name))
    call = method(name)
    return lambda *inputs, **named: call(self, *inputs, **named)


own = set(found.getName() for found in Drua.getDeclaredMethods())
for operation in Registry.get().operations.values():
    if not operation.host and operation.camelCase() not in own:
        setattr(Drua, operation.camelCase(), method(operation.camelCase()))
Drua.__getattr__ = missing
