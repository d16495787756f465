// Every refusal of a service leads to the page that explains its rule, or is known to have none.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { pageOfRefusal } from '../../packages/console/src/kit/feedback/refusal-pages.ts'

const root = path.join(import.meta.dirname, '../../packages/control-plane/src')

/** Sentences with which services refuse, with `x` for what is filled in. */
function refusals(): string[] {
  const thrown = /\b(?:invalid|conflict|insufficient|over)\(\s*(?:'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`)/g
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !/\.(?:test|fixtures|cases)\.ts$/.test(file),
  )
  const found = files.flatMap((file) =>
    [...readFileSync(path.join(root, file), 'utf8').matchAll(thrown)].map(
      ([, plain = '', template = '']) => plain || template.replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, 'x'),
    ),
  )
  return [...new Set(found)].filter(Boolean).toSorted()
}

/** Refusals whose sentence and advice say everything. */
const none: ReadonlySet<string> = new Set([
  'Cannot request a broadcast address',
  'Failed to parse range request header',
  'No free IPv6 range was found in x',
  'Not enough storage',
  'The address leads to ${isText ? ',
  'The volume of the database is full',
  'This server fetches no files from URLs.',
  'Two shared views of one place are the default.',
  'You have preferences for x lists, which is the limit.',
  'You have x favourites, which is the limit.',
  'a group may have at most x members',
  'a unique field conflicts with an existing record',
  'address unavailable',
  'addresses of IPv6 are not given out',
  'boot_source and boot_size are given together or not at all',
  'cannot attach more than x ssh keys to the instance',
  'certificates cannot be checked here',
  'device authorization request expired',
  'either a project or silo_only may be given',
  'either instances or a filter must be given',
  'either objects or a filter must be given',
  'end_time is before start_time',
  'error base64 decoding data: x',
  'exactly one of from_start and most_recent must be given',
  "id (x) doesn't match provided config (x)",
  'instance x no longer exists',
  'instances of several projects must be named by id',
  'invalid address',
  'its x is gone',
  'its x x was deleted',
  'more than x objects would have to be searched',
  'more than x of them were deleted since',
  'more than x xs match',
  'name or id required',
  'no objects are given',
  'no x of the action failed',
  'no x that matches can x now',
  'project to be deleted contains x: x',
  'silo to be deleted contains x',
  'that part of the output is no longer available',
  'the action is not over yet',
  'the action is over or already cancelled',
  'the bytes do not match their content digest',
  'the content length must be a number of bytes',
  'the ends, the protocol and the IP version of the packet are not of one IP version',
  'the instance has no machine that could crash',
  'the key "x" is both set and removed',
  'the last number is greater than x',
  'the month has not begun',
  'the object x is named twice',
  'the path must begin with /',
  'the tasks of one object are found by its project, kind and name, while they are pending',
  'the x already has the maximum of x x',
  'the x header is longer than x characters',
  'there are x role assignments already, which is the limit',
  'this file holds an instance',
  'this operation takes no x header',
  'this request exceeds what the database can handle at once',
  'this server cannot send requests to others',
  'x bytes have not been received',
  'x is not reserved any more',
  'x of your requests for several instances are not finished',
  'x takes x and nothing else',
  'x x',
  'x x is x',
  'x xs match by now',
  'xs are in a silo and in no project',
  'xs of the fleet are in all silos',
  'x.',
])

test('every refusal of a service has a page, or is listed as having none', () => {
  const found = refusals()
  expect(found.length).toBeGreaterThan(150)
  const without = found.filter(
    (message) => !none.has(message) && pageOfRefusal({ message, errorCode: 'InvalidRequest' }) === undefined,
  )
  expect(without).toEqual([])
})
