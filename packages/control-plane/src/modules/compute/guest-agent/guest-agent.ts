import type { BodyOf } from '@gantry/api/op'
import type { GuestAgent, guestAgentOps } from '@gantry/api/compute/guest-agent'
import {
  guestAgentAdvice,
  guestAgentWords,
  guestPasswordProblem,
  guestUserProblem,
} from '@gantry/api/compute/guest-agent.rules'
import type { Cx } from '@gantry/control-plane/context/cx'
import {
  conflict,
  invalid,
  invalidValue,
  type Refusal,
  unavailable,
} from '@gantry/control-plane/context/refusal'
import type { Row } from '@gantry/control-plane/db/tables'
import { needCapability } from '@gantry/control-plane/fleet/capabilities'
import { GuestAgentFailed, type GuestAgents } from '@gantry/control-plane/fleet/guest-agents'
import { need, type Selectors } from '@gantry/control-plane/lookup/need'

export async function viewGuestAgent(cx: Cx, at: Selectors): Promise<GuestAgent> {
  const { row } = await need(cx, 'instance', at, 'read')
  const { fleet } = cx.services
  needCapability(fleet, 'guest_agents')
  const answer =
    (row.vmm_id !== null && (await fleet.agents?.view(row.vmm_id))) || ({ state: 'not_running' } as const)
  return {
    state: answer.state,
    time: cx.now().toISOString(),
    reported: answer.state === 'answers' ? answer.report : null,
  }
}

export async function setGuestPassword(
  cx: Cx,
  at: Selectors,
  { user, password }: BodyOf<(typeof guestAgentOps)['instanceGuestPasswordSet']>,
): Promise<void> {
  const instance = await needConsole(cx, at, user)
  const problem = guestPasswordProblem(password)
  if (problem) throw invalidValue('password', problem)
  await order(cx, instance, { user }, (agents, machine) => agents.setPassword(machine, user, password))
}

export async function addGuestSshKeys(
  cx: Cx,
  at: Selectors,
  { user, ssh_public_keys }: BodyOf<(typeof guestAgentOps)['instanceGuestSshKeysAdd']>,
): Promise<void> {
  const instance = await needConsole(cx, at, user)
  const keys: Row<'ssh_key'>[] = []
  for (const key of ssh_public_keys) keys.push((await need(cx, 'ssh_key', { ssh_key: key }, 'read')).row)
  const details = { user, ssh_keys: keys.map(({ name }) => name) }
  await order(cx, instance, details, (agents, machine) =>
    agents.addSshKeys(
      machine,
      user,
      keys.map(({ public_key }) => public_key.trim()),
    ),
  )
}

/** These need the right to use the serial console, by which the same could be done. */
async function needConsole(cx: Cx, at: Selectors, user: string): Promise<Row<'instance'>> {
  const { row } = await need(cx, 'instance', at, 'modify')
  needCapability(cx.services.fleet, 'guest_agents')
  const problem = guestUserProblem(user)
  if (problem) throw invalidValue('user', problem)
  return row
}

/** Nothing of the records changes, so that the audit record is all that is kept. It names no secret. */
async function order(
  cx: Cx,
  { id, name, vmm_id }: Row<'instance'>,
  details: Record<string, unknown>,
  give: (agents: GuestAgents, machine: string) => Promise<void>,
): Promise<void> {
  cx.request.details = { instance_id: id, instance: name, ...details }
  const { agents } = cx.services.fleet
  if (vmm_id === null || !agents) throw refusalOf(new GuestAgentFailed('not_running'))
  await give(agents, vmm_id).catch((error: unknown) => {
    throw error instanceof GuestAgentFailed ? refusalOf(error) : error
  })
}

function refusalOf({ why, said }: GuestAgentFailed): Refusal {
  if (why === 'busy') return unavailable('The guest agent is busy. Try again in a moment.')
  if (why === 'refused')
    return invalid(
      `the guest agent refused (reported by the guest: "${said}")`,
      'Check that the user exists in the guest, and that the agent may do this there.',
    )
  return conflict(guestAgentWords[why], guestAgentAdvice[why])
}
