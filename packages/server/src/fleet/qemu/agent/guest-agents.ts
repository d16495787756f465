import fs from 'node:fs/promises'
import path from 'node:path'
import type { Log } from '@gantry/control-plane/environment'
import {
  frozenMsMax,
  GuestAgentFailed,
  type GuestAgents,
  type GuestAnswer,
} from '@gantry/control-plane/fleet/guest-agents'
import { TooBusy } from '@gantry/control-plane/work/turns'
import { z } from 'zod'
import { unlessMissing } from '#src/blocks/block-files-io'
import { writeSynced } from '../host/durable-file.ts'
import { AGENT_DEVICE } from '../machine/arguments.ts'
import type { Machine } from '../machine/machine.ts'
import { socketsFolder } from '../machine/machine-folder.ts'
import { AgentGone, AgentRefusal, converse, type Conversation } from './conversation.ts'
import { reportOf } from './report.ts'

export interface QemuGuestAgents extends GuestAgents {
  freezing: <Result>(
    machine: Machine,
    work: () => Promise<Result>,
    withinMs?: number,
  ) => Promise<{ result: Result; wasFrozen: boolean }>
  /** Thaws a guest that an earlier process may have left frozen. */
  recover: (machine: Machine) => void
  close: () => void
}

/** However many viewers there are, a guest is asked once in this time. */
const FRESH_MS = 3000
/** The guest first writes everything out. */
const FREEZE_MS = 10_000
/** The time between attempts to thaw a guest. */
const RETRY_MS = 1000
const RETRY_MAX_MS = 30_000

const channels = z.array(z.object({ label: z.string(), 'frontend-open': z.boolean() }))
const count = z.int().nonnegative()
const nothing = z.unknown()

/** Exists from before a guest is asked to freeze its file systems until it has thawed them. */
const frozenFile = (folder: string): string => path.join(folder, 'frozen')

export function qemuGuestAgents(find: (id: string) => Machine | undefined, log: Log): QemuGuestAgents {
  const views = new Map<string, { at: number; answer: Promise<GuestAnswer> }>()
  /** Guests that are frozen, or have to be thawed. */
  const frozen = new Set<string>()
  const closing = new AbortController()

  /** Why no agent can be asked, if none can. */
  async function whyNone(machine: Machine): Promise<Exclude<GuestAnswer['state'], 'answers'> | undefined> {
    const reached = await machine.connect()
    if (!reached) return 'not_running'
    const channel = (await reached.qmp.ask(channels, 'query-chardev')).find(
      ({ label }) => label === AGENT_DEVICE,
    )
    if (!channel) return 'no_channel'
    return channel['frontend-open'] ? undefined : 'absent'
  }

  async function asked(machine: Machine): Promise<GuestAnswer> {
    const why = frozen.has(machine.id) ? 'frozen' : await whyNone(machine)
    if (why !== undefined) return { state: why }
    try {
      return await machine.agentInTurn(() =>
        converse(socketsFolder(machine.folder), async (agent) => {
          const status = await agent.ask(z.string().max(20), 'guest-fsfreeze-status').catch(unlessGone)
          // Other programs of a guest freeze it, too.
          return status === 'frozen'
            ? { state: 'frozen' }
            : { state: 'answers', report: await reportOf(agent) }
        }),
      )
    } catch (error) {
      if (error instanceof AgentGone || error instanceof AgentRefusal || error instanceof TooBusy)
        return { state: 'silent' }
      throw error
    }
  }

  async function order(machineId: string, give: (agent: Conversation) => Promise<unknown>): Promise<void> {
    const machine = find(machineId)
    const why = !machine ? 'not_running' : frozen.has(machineId) ? 'frozen' : await whyNone(machine)
    if (!machine || why !== undefined) throw new GuestAgentFailed(why ?? 'not_running')
    await machine
      .agentInTurn(() => converse(socketsFolder(machine.folder), give))
      .catch((error: unknown) => {
        if (error instanceof AgentRefusal) throw new GuestAgentFailed('refused', error.message)
        if (error instanceof AgentGone) throw new GuestAgentFailed('silent')
        if (error instanceof TooBusy) throw new GuestAgentFailed('busy')
        throw error
      })
  }

  /** Asks a guest to thaw, and returns the number of its file systems that did; undefined if it does not answer. */
  async function thawed(machine: Machine): Promise<number | undefined> {
    try {
      const some = await converse(socketsFolder(machine.folder), thaw)
      await fs.rm(frozenFile(machine.folder), { force: true })
      frozen.delete(machine.id)
      views.delete(machine.id)
      return some
    } catch (error) {
      log.warn({ err: error, machine: machine.id }, 'a guest has not thawed its file systems yet')
      return undefined
    }
  }

  /** Asks until the guest thaws or its machine ends. */
  async function keepThawing(machine: Machine): Promise<void> {
    frozen.add(machine.id)
    for (let wait = RETRY_MS; !closing.signal.aborted; wait = Math.min(2 * wait, RETRY_MAX_MS)) {
      if (find(machine.id) !== machine) break
      if (!(await machine.running())) {
        await fs.rm(frozenFile(machine.folder), { force: true })
        break
      }
      const some = await machine.agentInTurn(() => thawed(machine)).catch(() => undefined)
      if (some !== undefined) return
      await pause(wait, closing.signal)
    }
    frozen.delete(machine.id)
  }
  const thawLater = (machine: Machine): void =>
    void keepThawing(machine).catch((err: unknown) =>
      log.error({ err, machine: machine.id }, 'a guest may have frozen file systems'),
    )

  /** The number of frozen file systems; undefined if no request was sent, so that there is nothing to thaw. */
  async function freeze(machine: Machine): Promise<number | undefined> {
    if (frozen.has(machine.id) || closing.signal.aborted) return undefined
    try {
      if ((await whyNone(machine)) !== undefined) return undefined
      await writeSynced(frozenFile(machine.folder), '')
    } catch (error) {
      log.warn({ err: error, machine: machine.id }, 'a guest was not frozen')
      return undefined
    }
    frozen.add(machine.id)
    const limits = { withinMs: FREEZE_MS + RETRY_MS }
    return converse(
      socketsFolder(machine.folder),
      (agent) => agent.ask(count, 'guest-fsfreeze-freeze', {}, FREEZE_MS),
      limits,
    ).catch((error: unknown) => {
      log.info({ err: error, machine: machine.id }, 'a guest did not freeze its file systems')
      return 0
    })
  }

  /** The channel is free for others once the guest has thawed, however long the work takes. */
  const freezing: QemuGuestAgents['freezing'] = async (machine, work, withinMs = frozenMsMax) => {
    const begun = await machine
      .agentInTurn(async () => {
        const frozenCount = await freeze(machine)
        const working = work()
        if (frozenCount === undefined) return { working, wasFrozen: false }
        const isInTime = await endsWithin(working, withinMs)
        const thawedCount = await thawed(machine)
        if (thawedCount === undefined) thawLater(machine)
        return { working, wasFrozen: isInTime && frozenCount > 0 && (thawedCount ?? 0) >= frozenCount }
      })
      .catch((error: unknown) => {
        if (error instanceof TooBusy) return { working: work(), wasFrozen: false }
        throw error
      })
    return { result: await begun.working, wasFrozen: begun.wasFrozen }
  }

  return {
    async view(machineId) {
      const machine = find(machineId)
      if (!machine) return { state: 'not_running' }
      if (frozen.has(machineId)) return { state: 'frozen' }
      const known = views.get(machineId)
      const now = performance.now()
      if (known && now - known.at < FRESH_MS) return known.answer
      for (const [id, { at }] of views) if (now - at >= FRESH_MS) views.delete(id)
      const answer = asked(machine)
      views.set(machineId, { at: now, answer })
      answer.catch(() => views.delete(machineId))
      return answer
    },

    setPassword: (machineId, user, password) =>
      order(machineId, (agent) =>
        agent.ask(nothing, 'guest-set-user-password', {
          username: user,
          password: Buffer.from(password).toString('base64'),
          crypted: false,
        }),
      ),

    addSshKeys: (machineId, user, keys) =>
      order(machineId, (agent) =>
        agent.ask(nothing, 'guest-ssh-add-authorized-keys', { username: user, keys }),
      ),

    async whileFrozen(machineId, work, withinMs) {
      const machine = find(machineId)
      return machine ? freezing(machine, work, withinMs) : { result: await work(), wasFrozen: false }
    },

    freezing,

    recover(machine) {
      unlessMissing(fs.stat(frozenFile(machine.folder))).then(
        (found) => found && thawLater(machine),
        (err: unknown) => log.error({ err, machine: machine.id }, 'whether a guest is frozen is unknown'),
      )
    },

    close: () => closing.abort(),
  }
}

/** Whether work ends in time; how it ends is seen elsewhere. */
async function endsWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const isLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms)
  })
  const ended = work.then(
    () => true,
    () => true,
  )
  const isInTime = await Promise.race([ended, isLate])
  clearTimeout(timer)
  return isInTime
}

/** An agent that refuses even that knows no freezing, so that nothing is frozen by it. */
async function thaw(agent: Conversation): Promise<number> {
  return (await agent.ask(count, 'guest-fsfreeze-thaw', {}, FREEZE_MS).catch(unlessGone)) ?? 0
}

function unlessGone(error: unknown): undefined {
  if (error instanceof AgentRefusal) return undefined
  throw error
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
