#!/usr/bin/env python3
"""Takes sequences for some users from a seqsvr and checks that those of each user increase strictly.

python3 -m venv .venv && .venv/bin/pip install -r requirements.txt
.venv/bin/python sequences.py [HOST:PORT] [--namespace default] [--users 10] [--count 1000] [--uid-offset 0]
"""
import argparse
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc
from google.rpc import error_details_pb2, status_pb2

PROTOS = Path(__file__).resolve().parents[2] / "proto/src/main/protobuf"
# In seconds. Without a deadline a call may wait forever; 5 s and more let a failover pass.
DEADLINE = 10


# gRPC makes the stubs when they are asked for, of the .proto files on this path; google/api/annotations.proto, which ours
# import, comes with googleapis-common-protos. A program of your own makes them once, when it is built: docs/calling.md.
sys.path.append(str(PROTOS))
sequences_pb2, sequences_pb2_grpc = grpc.protos_and_services("seqsvr/v1/sequences.proto")


def reason_of(error):
    """
    The reason of an error, such as NAMESPACE_UNKNOWN: what a program should decide by; messages are for people. None
    where it is not from seqsvr but from the connection or from gRPC itself. docs/calling.md says which are worth
    another try after a moment (here none is made); a retry is always safe: at worst it skips numbers.
    """
    for key, value in error.trailing_metadata() or ():
        if key == "grpc-status-details-bin":
            info = error_details_pb2.ErrorInfo()
            for detail in status_pb2.Status.FromString(value).details:
                if detail.Unpack(info):
                    return info.reason
    return None


def take(sequences, namespace, uid, count):
    """
    Takes sequences of one user, one call after the other: only a sequence asked for after the reply with the one
    before is sure to be above it.
    """
    last = 0
    for _ in range(count):
        # count=10 would take ten neighbouring ones, first to last.
        reply = sequences.Next(sequences_pb2.NextRequest(namespace=namespace, uid=uid), timeout=DEADLINE)
        if reply.first <= last:
            raise AssertionError(f"user {uid} got {reply.first} after {last}")
        last = reply.last
    # Takes nothing. It may be above ours, for others may take sequences of the same user, but never below.
    current = sequences.Current(sequences_pb2.CurrentRequest(namespace=namespace, uid=uid), timeout=DEADLINE)
    if current.seq < last:
        raise AssertionError(f"user {uid} has current {current.seq} after {last} was handed out")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("address", nargs="?", default="127.0.0.1:7700", metavar="HOST:PORT")
    parser.add_argument("--namespace", default="default")
    parser.add_argument("--users", type=int, default=10, help="takes for users uid-offset to uid-offset + users - 1 ...")
    parser.add_argument("--count", type=int, default=1000, help="... this many sequences in total")
    parser.add_argument("--uid-offset", type=int, default=0)
    options = parser.parse_args()
    if options.users < 1 or options.count < 0:
        parser.error("--users is a number from 1, --count one from 0")

    # A connection that was cut without a word is found out by its pings, and else by deadlines only.
    keepalive = [("grpc.keepalive_time_ms", 30_000), ("grpc.keepalive_timeout_ms", 10_000)]
    with grpc.insecure_channel(options.address, options=keepalive) as channel:
        sequences = sequences_pb2_grpc.SequencesStub(channel)

        def user(index):
            # The remainder goes to the first ones.
            count = options.count // options.users + (index < options.count % options.users)
            take(sequences, options.namespace, options.uid_offset + index, count)

        try:
            with ThreadPoolExecutor(max_workers=min(options.users, 32)) as pool:
                list(pool.map(user, range(options.users)))
        except grpc.RpcError as error:
            sys.exit("sequences.py: " + ": ".join(filter(None, [error.code().name, reason_of(error), error.details()])))
        except (AssertionError, ValueError) as error:
            sys.exit(f"sequences.py: {error}")
    print(f"{options.count} sequences for {options.users} users: each strictly increasing")


if __name__ == "__main__":
    main()
