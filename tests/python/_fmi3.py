"""An importer of FMUs for the tests, after the text of FMI 3.0: unpacks one, reads modelDescription.xml, loads the
binary of this platform and calls its functions with the types of the standard. Statuses come back as numbers; what
the FMU logs is kept in order."""
import ctypes
import os
import pathlib
import xml.etree.ElementTree
import zipfile

OK, WARNING, DISCARD, ERROR, FATAL = range(5)
LOG = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p)

# Every function that a binary of FMI 3.0 exports.
TYPES = "Float32 Float64 Int8 UInt8 Int16 UInt16 Int32 UInt32 Int64 UInt64 Boolean String Binary Clock".split()
FUNCTIONS = [f"fmi3{verb}{kind}" for verb in ("Get", "Set") for kind in TYPES] + [
    "fmi3" + name
    for name in """GetVersion SetDebugLogging InstantiateModelExchange InstantiateCoSimulation
    InstantiateScheduledExecution FreeInstance EnterInitializationMode ExitInitializationMode EnterEventMode Terminate
    Reset GetNumberOfVariableDependencies GetVariableDependencies GetFMUState SetFMUState FreeFMUState
    SerializedFMUStateSize SerializeFMUState DeserializeFMUState GetDirectionalDerivative GetAdjointDerivative
    EnterConfigurationMode ExitConfigurationMode GetIntervalDecimal GetIntervalFraction GetShiftDecimal
    GetShiftFraction SetIntervalDecimal SetIntervalFraction SetShiftDecimal SetShiftFraction EvaluateDiscreteStates
    UpdateDiscreteStates EnterContinuousTimeMode CompletedIntegratorStep SetTime SetContinuousStates
    GetContinuousStateDerivatives GetEventIndicators GetContinuousStates GetNominalsOfContinuousStates
    GetNumberOfEventIndicators GetNumberOfContinuousStates EnterStepMode GetOutputDerivatives DoStep
    ActivateModelPartition""".split()
]


class Fmu:
    """An unpacked FMU and its binary."""

    def __init__(self, path, folder):
        self.folder = pathlib.Path(folder).resolve()
        with zipfile.ZipFile(path) as archive:
            assert archive.testzip() is None
            archive.extractall(self.folder)
        self.root = xml.etree.ElementTree.parse(self.folder / "modelDescription.xml").getroot()
        assert self.root.tag == "fmiModelDescription" and self.root.get("fmiVersion") == "3.0"
        self.interface = self.root.find("CoSimulation")
        self.token = self.root.get("instantiationToken")
        self.variables = list(self.root.find("ModelVariables"))
        self.reference = {v.get("name"): int(v.get("valueReference")) for v in self.variables}
        self.identifier = self.interface.get("modelIdentifier")
        self.binary = self.folder / "binaries" / "x86_64-linux" / (self.identifier + ".so")
        self.library = ctypes.CDLL(str(self.binary), mode=os.RTLD_NOW | os.RTLD_LOCAL)
        lib, c = self.library, ctypes
        lib.fmi3GetVersion.restype = c.c_char_p
        lib.fmi3InstantiateCoSimulation.restype = c.c_void_p
        lib.fmi3InstantiateCoSimulation.argtypes = [
            c.c_char_p, c.c_char_p, c.c_char_p, c.c_bool, c.c_bool, c.c_bool, c.c_bool, c.POINTER(c.c_uint32),
            c.c_size_t, c.c_void_p, LOG, c.c_void_p]
        lib.fmi3InstantiateModelExchange.restype = c.c_void_p
        lib.fmi3InstantiateModelExchange.argtypes = [
            c.c_char_p, c.c_char_p, c.c_char_p, c.c_bool, c.c_bool, c.c_void_p, LOG]
        lib.fmi3FreeInstance.restype = None
        for name, types in {
                "FreeInstance": [], "ExitInitializationMode": [], "Terminate": [], "Reset": [], "EnterEventMode": [],
                "EnterStepMode": [], "EnterConfigurationMode": [],
                "EnterInitializationMode": [c.c_bool, c.c_double, c.c_double, c.c_bool, c.c_double],
                "GetFloat64": [c.c_void_p, c.c_size_t, c.c_void_p, c.c_size_t],
                "SetFloat64": [c.c_void_p, c.c_size_t, c.c_void_p, c.c_size_t],
                "GetInt32": [c.c_void_p, c.c_size_t, c.c_void_p, c.c_size_t],
                "GetFMUState": [c.c_void_p], "SetFMUState": [c.c_void_p], "FreeFMUState": [c.c_void_p],
                "SerializedFMUStateSize": [c.c_void_p, c.c_void_p],
                "SetDebugLogging": [c.c_bool, c.c_size_t, c.c_void_p],
                "SetTime": [c.c_double],
                "DoStep": [c.c_double, c.c_double, c.c_bool] + [c.POINTER(c.c_bool)] * 3 + [c.POINTER(c.c_double)],
        }.items():
            getattr(lib, "fmi3" + name).argtypes = [c.c_void_p] + types

    def instance(self, name="unit", **options):
        return Instance(self, name, **options)


class Instance:
    """One instance; `handle` is None if the FMU gave none."""

    def __init__(self, fmu, name="unit", token=None, resources="", logging=True, event_mode=False, intermediates=0):
        self.fmu, self.lib, self.log = fmu, fmu.library, []
        self.callback = LOG(lambda _, status, category, text: self.log.append(
            (status, category.decode(), text.decode())))
        if resources == "":
            resources = str(fmu.folder / "resources") + os.sep
        self.handle = self.lib.fmi3InstantiateCoSimulation(
            name.encode(), (token if token is not None else fmu.token).encode(),
            resources.encode() if resources is not None else None, False, logging, event_mode, False,
            (ctypes.c_uint32 * 1)(0), intermediates, None, self.callback, None)

    def free(self):
        self.lib.fmi3FreeInstance(self.handle)
        self.handle = None

    def call(self, name, *arguments):
        return getattr(self.lib, "fmi3" + name)(self.handle, *arguments)

    def references(self, names):
        return (ctypes.c_uint32 * len(names))(*(self.fmu.reference[n] if isinstance(n, str) else n for n in names))

    def set(self, values):
        numbers = (ctypes.c_double * len(values))(*values.values())
        return self.call("SetFloat64", self.references(list(values)), len(values), numbers, len(values))

    def try_get(self, names):
        numbers = (ctypes.c_double * len(names))()
        status = self.call("GetFloat64", self.references(names), len(names), numbers, len(names))
        return status, list(numbers)

    def get(self, *names):
        status, numbers = self.try_get(names)
        assert status == OK, self.log
        return numbers if len(names) > 1 else numbers[0]

    def enter(self, start=0.0, stop=None):
        return self.call("EnterInitializationMode", False, 0.0, start, stop is not None, stop or 0.0)

    def exit(self):
        return self.call("ExitInitializationMode")

    def initialize(self, values=None, stop=None):
        """From instantiated to step mode."""
        if values:
            assert self.set(values) == OK, self.log
        assert self.enter(stop=stop) == OK, self.log
        assert self.exit() == OK, self.log

    def try_step(self, time, size):
        flags = [ctypes.c_bool(True) for _ in range(3)]
        reached = ctypes.c_double(-1)
        status = self.call("DoStep", time, size, True, *map(ctypes.byref, flags), ctypes.byref(reached))
        return status, [flag.value for flag in flags], reached.value

    def step(self, time, size):
        status, flags, reached = self.try_step(time, size)
        assert status == OK and flags == [False] * 3, self.log
        assert abs(reached - (time + size)) <= 1e-9 * size
        return reached
