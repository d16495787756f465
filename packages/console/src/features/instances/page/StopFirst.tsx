import { type Instance } from '../queries.ts'
import { useInstanceActions } from '../use-instance-actions.tsx'
import { Button } from '#/ui/Button.tsx'

interface Props {
  project: string
  instance: Instance
  /** The purpose of the stop, as in `Stop to attach`. */
  to: string
}

/**
 * A stop button beside an action that needs a stopped instance. Renders nothing if stopping is not available either.
 */
export function StopFirst({ project, instance, to }: Props) {
  const { stop } = useInstanceActions(project).actionsOf(instance)
  if (stop.disabled) return null
  return <Button onClick={stop.onSelect}>Stop to {to}</Button>
}
