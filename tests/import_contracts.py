"""A contract for `lint-imports`: a private module is imported only inside its room.

A room is a folder directly below the package; a module is private if a part of its name below the room starts with an
underscore. Modules directly below the package, and the rooms in ``shared``, serve all rooms.
"""

from importlinter import Contract, ContractCheck, fields, output

PACKAGE = "weaklearn"


class PrivateModulesContract(Contract):
    """No module imports a private module of another room."""

    shared = fields.SetField(subfield=fields.StringField(), required=False)

    def check(self, graph, verbose):
        shared = self.shared or set()
        broken = []
        for module in sorted(graph.modules):
            package, _, rest = module.partition(".")
            room, *inner = rest.split(".")
            if package != PACKAGE or room in shared or not any(part.startswith("_") for part in inner):
                continue
            for importer in sorted(graph.find_modules_that_directly_import(module)):
                if importer.split(".")[:2] != [PACKAGE, room]:
                    broken.append((importer, module))
        return ContractCheck(kept=not broken, metadata={"broken": broken})

    def render_broken_contract(self, check):
        for importer, module in check.metadata["broken"]:
            output.print_error(f"{importer} imports {module}, which is private to its room")
