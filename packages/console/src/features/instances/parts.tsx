import type { RunState } from '@gantry/api/compute/instance.rules'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { RelativeTime } from '#/ui/data/DateTime.tsx'
import { sentenceCase } from '#/ui/data/format.ts'
import { StateDrawing, type StateFamily, StateMark, StatePlate } from '#/ui/data/StatePlate.tsx'
import type { Instance } from './queries.ts'

const families: Record<RunState, StateFamily> = {
  creating: 'busy',
  starting: 'busy',
  running: 'ok',
  stopping: 'busy',
  stopped: 'idle',
  rebooting: 'busy',
  migrating: 'care',
  repairing: 'care',
  failed: 'fail',
  destroyed: 'gone',
}

export function InstancePlate({ state }: { state: RunState }) {
  return <StatePlate family={families[state]}>{sentenceCase(state)}</StatePlate>
}

/** The state's glyph inside a drawing. */
export const InstanceDrawing = ({ state }: { state: RunState }) => <StateDrawing family={families[state]} />

/** The state's glyph alone, before a word that names the state. */
export const InstanceMark = ({ state }: { state: RunState }) => <StateMark family={families[state]} />

type Props = { instance: Pick<Instance, 'runState' | 'timeRunStateUpdated'> }

/** The state and its duration. */
export function InstanceState({ instance }: Props) {
  return (
    <span className="inline-flex items-center gap-2">
      <InstancePlate state={instance.runState} />
      <TimeInState instance={instance} />
    </span>
  )
}

export function TimeInState({ instance: { timeRunStateUpdated } }: Props) {
  return <RelativeTime value={timeRunStateUpdated} caption="Run state updated" />
}

export function InstanceDocs() {
  return (
    <DocsPopover topic="instances" page="compute">
      Instances are virtual machines that run on the sleds of the rack. CPU and memory are dedicated while
      running. Disks and addresses stay attached while stopped.
    </DocsPopover>
  )
}
