"""Perfetto's published schema knows all fields that are used."""
import sys

from perfetto.protos.perfetto.trace import perfetto_trace_pb2
from google.protobuf import unknown_fields


def check(message, path):
    unknown = [field.field_number for field in unknown_fields.UnknownFieldSet(message)]
    if unknown:
        raise SystemExit(f"FAILED: fields {unknown} of {path} are not in the schema")
    for field, value in message.ListFields():
        if field.type == field.TYPE_MESSAGE:
            for item in value if field.is_repeated else [value]:
                check(item, f"{path}.{field.name}")


trace = perfetto_trace_pb2.Trace()
with open(sys.argv[1], "rb") as file:
    trace.ParseFromString(file.read())
for packet in trace.packet[:20000]:
    check(packet, "packet")
