import { type Instance } from '#/features/instances/queries.ts'
import { useInstanceActions } from '#/features/instances/use-instance-actions.tsx'
import { Button } from '#/ui/Button.tsx'

interface Props {
  project: string
  instance: Instance
  /** What the stop is for, as in `Stop to attach`. */
  to: string
}

/** The way out beside an action that waits for a stop. Nothing where stopping is not available either. */
export function StopFirst({ project, instance, to }: Props) {
  const { stop } = useInstanceActions(project).actionsOf(instance)
  if (stop.disabled) return null
  return <Button onClick={stop.onSelect}>Stop to {to}</Button>
}
