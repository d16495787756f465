import type { AllowedSourceIps, AllowList } from '@gantry/api/rack-network/network-access'
import { maxAllowedIps, sourceFilter } from '@gantry/api/rack-network/network-access.rules'
import { parseIpNet } from '@gantry/api/base/ip.rules'
import type { Reader } from '../../db/database.ts'
import type { Row } from '../../db/tables.ts'
import { type Change, change, fleetScope } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { aim, needFleet } from '../../lookup/need.ts'
import { invalid, refuseIf } from '../../context/refusal.ts'
import { withGeneration } from '../../lookup/views.ts'
import { allowListId, endTrials } from './trial-store.ts'
import { allowListGuard } from '../../pipeline/allow-list.ts'

type Name = Row<'network_access'>['name']
interface Stored<Value> {
  value: Value
  generation: number
  time_created: Date
  time_modified: Date
}

/** Access is unrestricted by default. */
const defaults = {
  'allow-list': { allow: 'any' },
  'inbound-icmp': { enabled: true },
  'networking-settings': { external_jumbo_frames_opt_in_enabled: false },
} as const satisfies Record<Name, object>

export async function readSetting<Value>(db: Reader, name: Name): Promise<Stored<Value>> {
  const row = await db.selectFrom('network_access').selectAll().where('name', '=', name).executeTakeFirst()
  if (row) return row as Stored<Value>
  const rack = await db.selectFrom('rack').select('time_created').orderBy('time_created').executeTakeFirst()
  const time = rack?.time_created ?? new Date(0)
  return { value: defaults[name] as Value, generation: 0, time_created: time, time_modified: time }
}

export const readAllowList = (db: Reader): Promise<Stored<AllowedSourceIps>> => readSetting(db, 'allow-list')

/** Returns the generation after the change. */
export async function writeSetting(tx: Change, name: Name, id: string, value: unknown): Promise<number> {
  const before = await readSetting<unknown>(tx.read, name)
  const generation = before.generation + 1
  const now = tx.cx.now()
  const text = JSON.stringify(value)
  const patch = { value: text, generation, time_modified: now }
  await tx.plain
    .insertInto('network_access')
    .values({ name, time_created: before.time_created, ...patch })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(patch))
    .execute()
  tx.note(name, id, before.value, value)
  return generation
}

export const writeAllowList = (tx: Change, value: AllowedSourceIps): Promise<number> =>
  writeSetting(tx, 'allow-list', allowListId, value)

const listView = ({ value, generation, time_created, time_modified }: Stored<AllowedSourceIps>): AllowList =>
  withGeneration(
    {
      time_created: time_created.toISOString(),
      time_modified: time_modified.toISOString(),
      allowed_ips: value,
    },
    generation,
  )

export async function viewAllowList(cx: Cx): Promise<AllowList> {
  needFleet(cx, 'read')
  return listView(await readAllowList(cx.db))
}

/** Checked before the caller's role, as in the reference (control plane reference, A 17.1). */
export async function updateAllowList(cx: Cx, allowed: AllowedSourceIps): Promise<AllowList> {
  checkAllowed(cx, allowed)
  needFleet(cx, 'modify')
  const view = await change(cx, fleetScope, async (tx) => {
    await lockAccess(tx)
    // Under the lock: of two changes that name one generation, the second is stale.
    aim(cx, { id: allowListId, generation: (await readAllowList(tx.read)).generation })
    await endTrials(tx, allowListId, 'superseded')
    await writeAllowList(tx, allowed)
    return listView(await readAllowList(tx.read))
  })
  await allowListGuard(cx.services).refresh()
  return view
}

/** Serialises changes, also while there is no row to lock. */
export const lockAccess = (tx: Change) =>
  tx.plain
    .insertInto('counter')
    .values({ name: 'network-access', value: 1 })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: 1 }))
    .execute()

export function checkAllowed(cx: Cx, allowed: AllowedSourceIps): void {
  if (allowed.allow === 'any') return
  refuseIf(
    allowed.ips.length > maxAllowedIps &&
      invalid(
        `Source IP allowlist is limited to ${maxAllowedIps} entries, found ${allowed.ips.length}`,
        'Name larger networks, or allow any address.',
      ),
  )
  for (const text of allowed.ips) {
    const net = parseIpNet(text)
    refuseIf(
      net?.width === 0 &&
        invalid(`Source IP allowlist may not contain ${text}`, 'To let every address in, allow any.'),
    )
    refuseIf(
      net?.address === 0n &&
        invalid(
          `Source IP allowlist may not contain the unspecified address ${text}`,
          'Name the addresses of clients.',
        ),
    )
  }
  refuseIf(
    !sourceFilter(allowed)(cx.request.address) &&
      invalid(
        `The source IP allowlist would prevent access from the current client! Add ${cx.request.address} to it.`,
        `Your address is ${cx.request.address}. Add it, or a network that contains it.`,
      ),
  )
}

export async function viewIcmp(cx: Cx): Promise<{ enabled: boolean }> {
  needFleet(cx, 'read')
  const { value, generation } = await readSetting<{ enabled: boolean }>(cx.db, 'inbound-icmp')
  return withGeneration({ enabled: value.enabled }, generation)
}

export async function updateIcmp(cx: Cx, value: { enabled: boolean }): Promise<void> {
  needFleet(cx, 'modify')
  const id = '00000000-0000-4000-8000-000000001c30'
  await change(cx, fleetScope, async (tx) => {
    await lockAccess(tx)
    aim(cx, { id, generation: (await readSetting(tx.read, 'inbound-icmp')).generation })
    await writeSetting(tx, 'inbound-icmp', id, value)
  })
}
