import { instanceAllows, type RunState } from '@gantry/api/instance.rules'
import { whyNot } from '@gantry/api/state.rules'

export type InstanceAction = keyof typeof instanceAllows

/** Where the plain sentence would be about the wrong thing, or would list more states than anyone thinks of. */
const sentences: Partial<Record<InstanceAction, string>> = {
  stop: 'Only available when running',
  updateBootDisk: 'The instance must be stopped before its boot disk can change',
  attachDisk: 'The instance must be stopped to attach or create disks',
  detachDisk: 'The instance must be stopped before the disk can be detached',
  updateNetworkInterface: 'The instance must be stopped before its network interfaces can change',
  addToAffinityGroup: 'The instance must be stopped before it can be added to a group',
}

/** These wait for a stop, so from a running machine the way there is said too. */
const endsByStopping: ReadonlySet<InstanceAction> = new Set(['delete', 'resize'])
const stoppable: ReadonlySet<RunState> = new Set(instanceAllows.stop)

/** Why an action on an instance is not available in its state, and what to do about it. */
export function whyNotInstance(action: InstanceAction, state: RunState): string | undefined {
  const reason = whyNot(instanceAllows, action, state)
  if (!reason) return undefined
  const sentence = sentences[action] ?? reason
  const stopsFirst = endsByStopping.has(action) && stoppable.has(state)
  return stopsFirst ? `${sentence}. Stop the instance first.` : sentence
}
