import { instanceAllows, type RunState } from '@gantry/api/compute/instance.rules'
import { whyNot } from '@gantry/api/base/state.rules'

export type InstanceAction = keyof typeof instanceAllows

/** For actions whose generic sentence would mislead, or list too many states. */
const sentences: Partial<Record<InstanceAction, string>> = {
  stop: 'Only available when running',
  updateBootDisk: 'The instance must be stopped before its boot disk can change',
  attachDisk: 'The instance must be stopped to attach or create disks',
  detachDisk: 'The instance must be stopped before the disk can be detached',
  updateNetworkInterface: 'The instance must be stopped before its network interfaces can change',
  addToAffinityGroup: 'The instance must be stopped before it can be added to a group',
}

/** These need a stopped instance, so on a running one the reason says to stop it. */
const endsByStopping: ReadonlySet<InstanceAction> = new Set(['delete', 'resize'])
const stoppable: ReadonlySet<RunState> = new Set(instanceAllows.stop)

/** Why an instance's state does not allow an action, and what to do. */
export function whyNotInstance(action: InstanceAction, state: RunState): string | undefined {
  const reason = whyNot(instanceAllows, action, state)
  if (!reason) return undefined
  const sentence = sentences[action] ?? reason
  const stopsFirst = endsByStopping.has(action) && stoppable.has(state)
  return stopsFirst ? `${sentence}. Stop the instance first.` : sentence
}
