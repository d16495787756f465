// @chunk recorder: of a recording, which few users begin.
import { fromWire, toWire } from '@gantry/api/client/camel'
import type { CallOptions, Client, LooseInput, OpRef, OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { recordKeys } from '@gantry/api/client/records.gen'
import {
  answeredId,
  carriesBytes,
  isPrivateRequest,
  valueAt,
  withoutSecrets,
} from '@gantry/api/history/sent-request.rules'
import type { Tag } from '@gantry/api/tags/tag.rules'
import { idsIn } from './ids-in.ts'

type Named = Pick<OpRef, 'name' | 'method' | 'path'>

/** A request that changed something. */
export interface RecordedStep {
  op: Named
  input: LooseInput
  tags?: readonly Tag[] | undefined
  /** The object that it answered with. */
  answered?: { id: string; name?: string | undefined } | undefined
  /** Bytes of a file went with it, or with several such requests. They are not recorded. */
  hasBytes?: true | undefined
  /** Marks it until its answer comes. If the page is left before, it stays: the request may have succeeded. */
  pending?: string | undefined
}

/** What was done, or in words what no request of its own can repeat. */
export type Recorded = RecordedStep | { note: string }

/** An object that a step names by its id, and that no step before answered with. */
export interface KnownObject {
  kind: string
  name: string
  /** How it is found by its name. */
  request?: { op: Named; input: LooseInput } | undefined
  /** Where its answer has the id, if that is not its own. */
  field?: string | undefined
}

/** A request that succeeded, without its secrets; undefined if it changed nothing that others may see. */
export function stepOf(
  { name, method, path, changes = [] }: OpRef,
  input: LooseInput,
  { tags, content }: CallOptions,
  answer: unknown,
): RecordedStep | undefined {
  const hasBytes = content !== undefined || carriesBytes(name)
  const isChange = changes.length > 0 || hasBytes
  if (method === 'GET' || !isChange || isPrivateRequest(path)) return undefined
  const { body, ...place } = input
  return {
    op: { name, method, path },
    input: hidden(hasBytes || body === undefined ? place : { ...place, body }),
    ...(tags && tags.length > 0 && { tags }),
    ...(hasBytes && { hasBytes }),
    answered: identityOf(name, answer),
  }
}

/** A file goes in many pieces, of which one stands for all. */
export const isNextPiece = (step: RecordedStep, last: RecordedStep | undefined): boolean =>
  step.hasBytes === true && last?.hasBytes === true && isSame(step.input.path, last.input.path)

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

function identityOf(operation: string, answer: unknown): RecordedStep['answered'] {
  const path = answeredId(operation)
  const id = valueAt(answer, path)
  const name = valueAt(answer, path.replace(/id$/, 'name'))
  return typeof id === 'string' ? { id, name: typeof name === 'string' ? name : undefined } : undefined
}

// By the names of the API, in which the rule is.
const hidden = (input: LooseInput): LooseInput => camelOf(eachPart(wireOf(input), withoutSecrets))

type Hit = OutputOf<'search'>['items'][number]

/** The objects behind ids that these steps name, as far as the user can find them. */
export async function knownObjects(
  client: Client,
  ids: readonly string[],
  steps: readonly RecordedStep[],
): Promise<Record<string, KnownObject>> {
  const known: Record<string, KnownObject> = {}
  for (const id of ids) {
    const found = await client(op.search, { query: { text: id, limit: 5 } })
    const hit = found.type === 'success' ? found.data.items.find((each) => each.id === id) : undefined
    if (hit) known[id] = { kind: hit.kind, name: hit.name, request: lookupOf(hit) }
  }
  const blocks = steps
    .filter((step) => step.op.name === 'networkingBgpAnnounceSetUpdate')
    .flatMap(({ input }) => idsIn(input).filter((id) => ids.includes(id)))
  return blocks.length > 0 ? { ...known, ...(await knownBlocks(client, blocks)) } : known
}

/**
 * Blocks of address lots have no names, and are found by their addresses: creating a lot answers with the block that it has
 * already.
 */
async function knownBlocks(client: Client, ids: readonly string[]): Promise<Record<string, KnownObject>> {
  const known: Record<string, KnownObject> = {}
  const lots = await client(op.networkingAddressLotList, { query: { limit: mostLots } })
  if (lots.type !== 'success') return known
  const { name: operation, method, path } = op.networkingAddressLotCreate
  for (const { name, description, kind } of lots.data.items) {
    const lot = await client(op.networkingAddressLotView, { path: { addressLot: name } })
    for (const { id, firstAddress, lastAddress } of lot.type === 'success' ? lot.data.blocks : [])
      if (ids.includes(id))
        known[id] = {
          kind: 'address-lot-block',
          name,
          request: {
            op: { name: operation, method, path },
            input: { body: { name, description, kind, blocks: [{ firstAddress, lastAddress }] } },
          },
          field: 'blocks.0.id',
        }
  }
  return known
}
/** A rack has a few. */
const mostLots = 100

/** How the objects of a kind are read, and which parameter names one. */
const views: Readonly<Partial<Record<Hit['kind'], readonly [ref: OpRef, parameter: string]>>> = {
  disk: [op.diskView, 'disk'],
  'external-subnet': [op.externalSubnetView, 'externalSubnet'],
  'floating-ip': [op.floatingIpView, 'floatingIp'],
  image: [op.imageView, 'image'],
  instance: [op.instanceView, 'instance'],
  'instance-snapshot': [op.instanceSnapshotView, 'instanceSnapshot'],
  project: [op.projectView, 'project'],
  silo: [op.siloView, 'silo'],
  snapshot: [op.snapshotView, 'snapshot'],
  vpc: [op.vpcView, 'vpc'],
}

/** The request that finds an object by its name, in its project. */
function lookupOf({ kind, name, projectName }: Hit): KnownObject['request'] {
  const view = views[kind]
  if (!view) return undefined
  const [{ name: operation, method, path }, parameter] = view
  const isInProject = projectName !== null && kind !== 'project'
  return {
    op: { name: operation, method, path },
    input: { path: { [parameter]: name }, ...(isInProject && { query: { project: projectName } }) },
  }
}

const parts = ['path', 'query', 'body'] as const
const eachPart = (input: LooseInput, change: (value: unknown) => unknown): LooseInput =>
  Object.fromEntries(
    parts.flatMap((part) => (input[part] === undefined ? [] : [[part, change(input[part])]])),
  )
export const wireOf = (input: LooseInput): LooseInput => eachPart(input, (value) => toWire(value, recordKeys))
export const camelOf = (input: LooseInput): LooseInput =>
  eachPart(input, (value) => fromWire(value, recordKeys))
