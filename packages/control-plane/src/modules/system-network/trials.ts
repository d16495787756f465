import type { AllowedSourceIps } from '@gantry/api/rack-network/network-access'
import type { NetworkChange, NetworkLoss, NetworkTrial } from '@gantry/api/rack-network/network-trial'
import { listedTrials, trialMs } from '@gantry/api/rack-network/network-trial.rules'
import { z } from 'zod'
import type { Reader } from '../../db/database.ts'
import type { PortSettingsContents } from '../../db/tables.ts'
import { type Change, change, fleetScope } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { repeatIn, defineJob } from '../../change/define-job.ts'
import { ignoreNotFound } from '../../work/ignore-not-found.ts'
import { aim, need, needFleet } from '../../lookup/need.ts'
import { conflict, notFound } from '../../context/refusal.ts'
import { checkAllowed, lockAccess, readAllowList, writeAllowList } from './access.ts'
import { lossesOfList, lossesOfPort, lossesOfSettings } from './impact.ts'
import { setSettings } from './ports.ts'
import { prepareSettings } from './settings.ts'
import {
  forgetUnused,
  lockNamed,
  lockReferred,
  type PreparedSettings,
  replaceSettings,
  writeContents,
} from './settings-contents.ts'
import { allowListId, endTrial, lockTrial, refuseDuringTrial, type Trial } from './trial-store.ts'
import { allowListGuard } from '../../pipeline/allow-list.ts'

interface StoredSettings {
  description: string
  contents: PortSettingsContents
}

/** The connections that the change would cut off; changes nothing. */
export async function viewImpact(cx: Cx, wanted: NetworkChange): Promise<{ losses: NetworkLoss[] }> {
  needFleet(cx, 'modify')
  switch (wanted.type) {
    case 'allow_list':
      return { losses: await lossesOfList(cx, wanted.allowed_ips) }
    case 'switch_port': {
      const port = await needPort(cx, wanted.switch_port_id)
      const settings = wanted.port_settings ? await needSettings(cx, wanted.port_settings) : undefined
      return { losses: await lossesOfPort(cx, port, settings) }
    }
    case 'switch_port_settings': {
      const row = await needSettings(cx, wanted.settings.name)
      return { losses: await lossesOfSettings(cx, row, await prepareSettings(cx, wanted.settings)) }
    }
  }
  return wanted satisfies never
}

// `modify`, so that `If-Match` applies: a trial looks up what it changes first.
const needSettings = async (cx: Cx, port_settings: string) =>
  (await need(cx, 'switch_port_settings', { port_settings }, 'modify')).row
const needPort = async (cx: Cx, switch_port_id: string) =>
  (await need(cx, 'switch_port', { switch_port_id }, 'modify')).row

/** Applies the change at once; a job reverts it unless it is confirmed in time. */
export async function createTrial(cx: Cx, wanted: NetworkChange): Promise<NetworkTrial> {
  if (wanted.type === 'allow_list') checkAllowed(cx, wanted.allowed_ips)
  needFleet(cx, 'modify')
  const apply = await preparedChange(cx, wanted)
  const trial = await change(cx, fleetScope, async (tx) => {
    const { subject_id, before, after, generation } = await apply(tx)
    await refuseDuringTrial(tx, subject_id)
    const time_expires = new Date(cx.now().getTime() + trialMs)
    const row = await tx.plain
      .insertInto('network_trial')
      .values({
        id: cx.newId(),
        subject: wanted.type,
        subject_id,
        before: JSON.stringify(before),
        after: JSON.stringify(after),
        generation,
        state: 'running',
        time_created: cx.now(),
        time_expires,
        time_ended: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    tx.note('network-trial', row.id, undefined, { subject: row.subject, state: row.state })
    await tx.job(networkTrial, { trial_id: row.id }, time_expires)
    return row
  })
  await allowListGuard(cx.services).refresh()
  return viewOf(cx, trial)
}

interface Applied {
  subject_id: string
  before: unknown
  after: unknown
  generation: number
}

/** Finds and checks everything first; returns what the transaction does. */
async function preparedChange(cx: Cx, wanted: NetworkChange): Promise<(tx: Change) => Promise<Applied>> {
  switch (wanted.type) {
    case 'allow_list':
      return (tx) => applyList(tx, wanted.allowed_ips)
    case 'switch_port': {
      const port = await needPort(cx, wanted.switch_port_id)
      const id = wanted.port_settings ? (await needSettings(cx, wanted.port_settings)).id : null
      return (tx) => applyPort(tx, port.id, id)
    }
    case 'switch_port_settings': {
      await needSettings(cx, wanted.settings.name)
      const prepared = await prepareSettings(cx, wanted.settings)
      return (tx) => applyContents(tx, prepared)
    }
  }
  return wanted satisfies never
}

async function applyList(tx: Change, after: AllowedSourceIps): Promise<Applied> {
  await lockAccess(tx)
  const { value: before, generation } = await readAllowList(tx.read)
  aim(tx.cx, { id: allowListId, generation })
  return { subject_id: allowListId, before, after, generation: await writeAllowList(tx, after) }
}

async function applyPort(tx: Change, portId: string, settingsId: string | null): Promise<Applied> {
  if (settingsId !== null) await tx.hold('switch_port_settings', settingsId)
  const port = await tx.lockById('switch_port', portId)
  const { generation } = await setSettings(tx, port, settingsId)
  return { subject_id: portId, before: port.port_settings_id, after: settingsId, generation }
}

async function applyContents(tx: Change, prepared: PreparedSettings): Promise<Applied> {
  await lockReferred(tx, prepared)
  const row = await lockNamed(tx, prepared.body.name)
  if (!row) throw notFound('switch-port-settings', { name: prepared.body.name })
  const { id, description, contents } = row
  const written = await replaceSettings(tx, row, prepared, [contents])
  const after = { description: written.description, contents: written.contents }
  return { subject_id: id, before: { description, contents }, after, generation: written.generation }
}

export async function listTrials(cx: Cx): Promise<{ items: NetworkTrial[] }> {
  needFleet(cx, 'list_children')
  const rows = await cx.db
    .selectFrom('network_trial')
    .selectAll()
    .orderBy('time_created', 'desc')
    .orderBy('id')
    .limit(listedTrials)
    .execute()
  return { items: await viewsOf(cx, rows) }
}

export async function confirmTrial(cx: Cx, trialId: string): Promise<NetworkTrial> {
  needFleet(cx, 'modify')
  const known = await findTrial(cx.db, trialId)
  const ended = await change(cx, fleetScope, async (tx) => {
    const trial = await lockRunning(tx, known)
    if (trial.subject === 'switch_port_settings') {
      const settings = await tx.lockById('switch_port_settings', trial.subject_id)
      await forgetUnused(tx, settings.id, [settings.contents])
    }
    return endTrial(tx, trial, 'confirmed')
  })
  return viewOf(cx, ended)
}

export async function revertTrial(cx: Cx, trialId: string): Promise<NetworkTrial> {
  needFleet(cx, 'modify')
  const known = await findTrial(cx.db, trialId)
  const ended = await change(cx, fleetScope, async (tx) => revert(tx, await lockRunning(tx, known)))
  await allowListGuard(cx.services).refresh()
  return viewOf(cx, ended)
}

async function findTrial(db: Reader, id: string): Promise<Trial> {
  const trial = await db.selectFrom('network_trial').selectAll().where('id', '=', id).executeTakeFirst()
  if (!trial) throw notFound('network-trial', { id })
  return trial
}

async function lockRunning(tx: Change, { id }: Trial): Promise<Trial> {
  const trial = await lockTrial(tx, id)
  if (!trial) throw conflict('the change is no longer waiting for confirmation', 'Make the change again.')
  return trial
}

/** Reverts a change that was not confirmed in time; after a crash, the next process does. */
export const networkTrial = defineJob(
  'network-trial',
  z.object({ trial_id: z.string() }),
  async (cx, { trial_id }) => {
    const trial = await findTrial(cx.db, trial_id).catch(ignoreNotFound)
    if (trial?.state !== 'running') return undefined
    const early = trial.time_expires.getTime() - cx.now().getTime()
    // Trials last a minute: a longer rest means that the clock has gone back.
    if (early > 0 && early <= trialMs) return repeatIn(early)
    await change(cx, fleetScope, async (tx) => {
      const running = await lockTrial(tx, trial_id)
      if (running) await revert(tx, running)
    })
    await allowListGuard(cx.services).refresh()
    return undefined
  },
  { maxAttempts: Infinity },
)

/** Leaves the subject unchanged if it was edited since. */
async function revert(tx: Change, trial: Trial): Promise<Trial> {
  const isSame = await restore(tx, trial)
  return endTrial(tx, trial, isSame ? 'reverted' : 'superseded')
}

async function restore(tx: Change, trial: Trial): Promise<boolean> {
  const { subject, subject_id, before, generation } = trial
  switch (subject) {
    case 'allow_list': {
      await lockAccess(tx)
      if ((await readAllowList(tx.read)).generation !== generation) return false
      await writeAllowList(tx, before as AllowedSourceIps)
      return true
    }
    case 'switch_port': {
      const settings = before as string | null
      const isThere =
        settings === null ||
        (await tx.hold('switch_port_settings', settings).then(() => true, ignoreNotFound))
      const port = await tx.lockById('switch_port', subject_id)
      if (port.generation < generation) throw new Error('a port whose generation went back')
      // Replaced settings also touch their ports, so the choice itself is compared.
      if (!isThere || port.port_settings_id !== (trial.after as string | null)) return false
      await setSettings(tx, port, settings)
      return true
    }
    case 'switch_port_settings': {
      const { description, contents } = before as StoredSettings
      const row = await tx.lockById('switch_port_settings', subject_id)
      const isSame = row.generation === generation
      await forgetUnused(tx, row.id, [isSame ? contents : row.contents])
      if (!isSame) return false
      await writeContents(tx, row, description, contents)
      return true
    }
  }
  return subject satisfies never
}

const viewOf = async (cx: Cx, trial: Trial): Promise<NetworkTrial> => {
  const [view] = await viewsOf(cx, [trial])
  return view!
}

async function viewsOf(cx: Cx, trials: readonly Trial[]): Promise<NetworkTrial[]> {
  const names = await namesOf(cx.db, trials)
  const now = cx.now().getTime()
  return trials.map((trial) => ({
    id: trial.id,
    subject: trial.subject,
    subject_id: trial.subject_id,
    subject_name: names.get(trial.subject_id) ?? '',
    state: trial.state,
    time_created: trial.time_created.toISOString(),
    time_expires: trial.time_expires.toISOString(),
    time_ended: trial.time_ended?.toISOString() ?? null,
    remaining_ms: trial.state === 'running' ? Math.max(0, trial.time_expires.getTime() - now) : 0,
  }))
}

/** The names of what the trials change, by id: one statement for each kind of subject. */
async function namesOf(db: Reader, trials: readonly Trial[]): Promise<Map<string, string>> {
  const idsOf = (subject: Trial['subject']) =>
    trials.filter((trial) => trial.subject === subject).map(({ subject_id }) => subject_id)
  const names = new Map<string, string>([[allowListId, 'allow list']])
  const ports = idsOf('switch_port')
  if (ports.length > 0)
    for (const port of await db
      .selectFrom('switch_port')
      .select(['id', 'switch_location', 'port_name'])
      .where('id', 'in', ports)
      .execute())
      names.set(port.id, `${port.switch_location} ${port.port_name}`)
  const settings = idsOf('switch_port_settings')
  if (settings.length > 0)
    for (const { id, name } of await db
      .selectFrom('switch_port_settings')
      .select(['id', 'name'])
      .where('id', 'in', settings)
      .execute())
      names.set(id, name)
  return names
}
