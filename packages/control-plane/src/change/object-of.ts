import { type OpName, operationId, ops } from '@gantry/api/registry'
import type { Row } from '../db/tables.ts'

/** The object of an operation: the kind that its name begins with, and what it does to it. */
export interface OperationObject {
  kind: string
  op: Row<'change'>['op']
}

const opOf = { POST: 'create', PUT: 'update', DELETE: 'delete', GET: 'update', HEAD: 'update' } as const

/** Operations whose names begin with what their object is attached to, or made of. */
const attached: Readonly<Record<string, OperationObject>> = {
  disk_image_create: { kind: 'image-upload', op: 'create' },
  instance_disk_attach: { kind: 'disk', op: 'update' },
  instance_disk_detach: { kind: 'disk', op: 'update' },
}

/** Operations on an object of any kind, which they name by its id. */
const ofAnyKind: ReadonlySet<string> = new Set([
  'object_delete',
  'protection_remove',
  'protection_update',
  'recycle_bin_empty',
  'recycled_item_delete',
  'recycled_item_plan',
  'recycled_item_restore',
  'restoration_create',
  'restoration_plan',
  'tags_edit',
  'tags_update',
])

/** Among the kinds that an operation changes, parts included, the one it is about. */
function objectOf(name: OpName): OperationObject | undefined {
  const { method, changes } = ops[name]
  const id = operationId(name)
  if (ofAnyKind.has(id)) return undefined
  if (attached[id]) return attached[id]
  const named = changes
    .filter((kind) => id.startsWith(`${kind.replaceAll('-', '_')}_`))
    .toSorted((one, other) => other.length - one.length)
  const kind = named[0] ?? changes[0]
  return kind === undefined ? undefined : { kind, op: opOf[method] }
}

const objects = new Map((Object.keys(ops) as OpName[]).map((name) => [operationId(name), objectOf(name)]))

/** Undefined for an operation that changes nothing or an object of any kind, and for one of another version. */
export const objectOfOperation = (operation_id: string): OperationObject | undefined =>
  objects.get(operation_id)
