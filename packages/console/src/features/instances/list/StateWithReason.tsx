import { Tooltip } from '../../../ui/Tooltip.tsx'
import { failureText } from '../../common/failure-text.ts'
import { InstancePlate, InstanceState, TimeInState } from '../InstanceState.tsx'
import type { Instance } from '../queries.ts'

/** The state, with the reason of a failure behind it for pointer, finger and keyboard. */
export function StateWithReason({ instance }: { instance: Instance }) {
  const { runState, failure } = instance
  if (runState !== 'failed' || !failure) return <InstanceState instance={instance} />
  return (
    <span className="inline-flex items-center gap-2">
      <Tooltip content={failureText({ message: failure.message, help: failure.nextStep })}>
        <button type="button" className="rounded-tag">
          <InstancePlate state={runState} />
        </button>
      </Tooltip>
      <TimeInState instance={instance} />
    </span>
  )
}
