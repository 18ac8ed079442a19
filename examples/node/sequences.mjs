// Takes sequences for some users from a seqsvr and checks that those of each user increase strictly.
//
//   npm ci
//   node sequences.mjs [HOST:PORT] [--namespace default] [--users 10] [--count 1000] [--uid-offset 0]
import { dirname } from 'node:path';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import grpc from '@grpc/grpc-js';
import protoLoader from '@grpc/proto-loader';
import protobuf from 'protobufjs';

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        namespace: { type: 'string', default: 'default' },
        users: { type: 'string', default: '10' }, // takes for users uid-offset to uid-offset + users - 1 ...
        count: { type: 'string', default: '1000' }, // ... this many sequences in total
        'uid-offset': { type: 'string', default: '0' },
      },
    });
  } catch (misuse) {
    console.error(`sequences.mjs: ${misuse.message}`);
    process.exit(2);
  }
}

const { values: options, positionals } = readArguments();
const address = positionals[0] ?? '127.0.0.1:7700';

// The API is described by seqsvr's own .proto files; google/api/annotations.proto, which they import, lies in
// protobufjs. `longs: String` is vital: sequences and uids are 64 bits wide, and a JS number is a double, which above
// 2^53 would silently turn one sequence into its neighbour. They stay strings, and are compared as BigInt.
const { seqsvr } = grpc.loadPackageDefinition(
  protoLoader.loadSync('seqsvr/v1/sequences.proto', {
    includeDirs: [
      fileURLToPath(new URL('../../proto/src/main/protobuf', import.meta.url)),
      dirname(createRequire(import.meta.url).resolve('protobufjs/package.json')),
    ],
    longs: String,
    enums: String,
    defaults: true,
  }),
);
const client = new seqsvr.v1.Sequences(address, grpc.credentials.createInsecure());

// One call as a promise, with a deadline: without one a call may wait forever.
function call(method, request) {
  return new Promise((resolve, reject) => {
    client[method](request, { deadline: Date.now() + 10_000 }, (error, reply) =>
      error ? reject(error) : resolve(reply),
    );
  });
}

// Takes sequences of one user, one call after the other: only a sequence asked for after the reply with the one before
// is sure to be above it.
async function takeForUser(uid, count) {
  let last = 0n;
  for (let i = 0; i < count; i++) {
    // `count: '10'` would take ten neighbouring ones, `first` to `last`.
    const reply = await call('Next', { namespace: options.namespace, uid: String(uid) });
    if (BigInt(reply.first) <= last) {
      throw new Error(`user ${uid} got ${reply.first} after ${last}`);
    }
    last = BigInt(reply.last);
  }
  // Takes nothing. It may be above ours, for others may take sequences of the same user, but never below.
  const current = await call('Current', { namespace: options.namespace, uid: String(uid) });
  if (BigInt(current.seq) < last) {
    throw new Error(`user ${uid} has current ${current.seq} (${current.exactness}) after ${last} was handed out`);
  }
}

// The reason of an error, such as NAMESPACE_UNKNOWN, is what a program should decide by; messages are for people. It
// travels in a trailer as a google.rpc.Status, of which this is as much as is needed. docs/calling.md says which
// are worth another try after a moment (here none is made); a retry is always safe: at worst it skips numbers.
const { root: rpc } = protobuf.parse(`
  syntax = "proto3";
  message Any { string type_url = 1; bytes value = 2; }
  message Status { repeated Any details = 3; }
  message ErrorInfo { string reason = 1; string domain = 2; map<string, string> metadata = 3; }
`);

function reasonOf(error) {
  const [status] = error.metadata?.get('grpc-status-details-bin') ?? [];
  const details = status ? rpc.lookupType('Status').decode(status).details : [];
  const info = details.find(({ typeUrl }) => typeUrl.endsWith('/google.rpc.ErrorInfo'));
  // None: the error is not from seqsvr, but from the connection or from gRPC itself.
  return info && rpc.lookupType('ErrorInfo').decode(info.value).reason;
}

try {
  const users = Number(options.users);
  const count = Number(options.count);
  if (!(users >= 1 && count >= 0 && Number.isInteger(users) && Number.isInteger(count))) {
    throw new Error('--users is a number from 1, --count one from 0');
  }
  const firstUid = BigInt(options['uid-offset']);
  if (firstUid < 0n || firstUid + BigInt(users) > 2n ** 64n) {
    throw new Error('the uids do not fit into 64 bits'); // and would silently wrap round to those of other users
  }
  // All users at once; the remainder goes to the first ones.
  await Promise.all(
    Array.from({ length: users }, (_, i) =>
      takeForUser(firstUid + BigInt(i), Math.floor(count / users) + (i < count % users ? 1 : 0)),
    ),
  );
  console.log(`${count} sequences for ${users} users: each strictly increasing`);
} catch (error) {
  const text =
    error.code in grpc.status
      ? [grpc.status[error.code], reasonOf(error), error.details].filter(Boolean).join(': ')
      : error.message;
  console.error(`sequences.mjs: ${text}`);
  process.exitCode = 1;
} finally {
  client.close();
}
