import { type LaterFields, laterFields } from '@gantry/api/editions/later-fields'
import type { Operation } from '@gantry/api/op'
import { components } from '@gantry/api/schema'
import type { Cx } from '../context/cx.ts'

interface Row {
  id: string
}
type Utilization = Record<'ipv4' | 'ipv6', { allocated: number | string; capacity: number | string }>

/** The later edition's additions to each row, in the order of the rows. */
const additions: {
  [Name in keyof LaterFields]: (cx: Cx, rows: never[]) => Promise<LaterFields[Name][]> | LaterFields[Name][]
} = {
  CurrentUser: (cx, rows) => times(cx, 'silo_user', rows),
  // No disk of this platform is read-only or lives on its sled.
  Disk: (_, rows) => rows.map(() => ({ disk_type: 'distributed', read_only: false })),
  Group: (cx, rows) => times(cx, 'silo_group', rows),
  IpPoolUtilization: (_, rows: Utilization[]) => rows.map(inAll),
  Sled: slots,
  User: (cx, rows) => times(cx, 'silo_user', rows),
}

/** A successful response's body as the later edition has it. */
export async function laterAnswer(cx: Cx, { returns }: Operation, body: unknown): Promise<unknown> {
  if (cx.request.empty_list) return { items: [], next_page: null }
  const component = (returns && components.get(returns)) ?? ''
  const name = component.replace(/ResultsPage$/, '')
  if (!isExtended(name)) return body
  const isPage = component !== name
  // Which kind of rows these are is known from their component alone.
  const { items: rows } = (isPage ? body : { items: [body] }) as { items: never[] }
  const added = await additions[name](cx, rows)
  const items = rows.map((row: object, index) => ({ ...row, ...added[index] }))
  return isPage ? { ...(body as object), items } : items[0]
}

const isExtended = (name: string): name is keyof LaterFields => Object.hasOwn(laterFields, name)

async function times(cx: Cx, table: 'silo_user' | 'silo_group', rows: Row[]) {
  const found = await cx.db
    .selectFrom(table)
    .select(['id', 'time_created', 'time_modified'])
    .where('id', 'in', rows.map(({ id }) => id).concat(none))
    .execute()
  const byId = new Map(found.map((row) => [row.id, row]))
  return rows.map(({ id }) => {
    const { time_created = epoch, time_modified = epoch } = byId.get(id) ?? {}
    return { time_created: time_created.toISOString(), time_modified: time_modified.toISOString() }
  })
}

/** For a user who was deleted meanwhile. */
const epoch = new Date(0)
/** Keeps a list of ids from being empty, which SQL does not allow. */
const none = '00000000-0000-0000-0000-000000000000'

async function slots(cx: Cx, rows: Row[]) {
  const found = await cx.db
    .selectFrom('sled')
    .select(['id', 'cubby'])
    .where('id', 'in', rows.map(({ id }) => id).concat(none))
    .execute()
  const byId = new Map(found.map(({ id, cubby }) => [id, cubby]))
  return rows.map(({ id }) => ({ slot: byId.get(id) ?? null }))
}

function inAll({ ipv4, ipv6 }: Utilization) {
  const capacity = Number(ipv4.capacity) + Number(ipv6.capacity)
  return { capacity, remaining: capacity - Number(ipv4.allocated) - Number(ipv6.allocated) }
}
