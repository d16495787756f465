import { ChoiceField } from '#/kit/forms/choice-fields.tsx'
import { choicesOf } from '#/kit/list/choices-of.ts'
import type { Offered } from '#/kit/list/use-offered.ts'
import { useClearUnavailable } from '#/kit/list/use-clear-unavailable.ts'
import type { Instance } from '#/features/instances/queries.ts'
import { sentenceCase } from '#/ui/data/format.ts'

/** The instance, by its id, that something of the project is attached to. */
export function InstanceField({ instances }: { instances: Offered<Instance> }) {
  const { data: offered = [] } = instances
  useClearUnavailable(
    'instance',
    offered.map(({ id }) => id),
  )
  return (
    <ChoiceField
      name="instance"
      label="Instance"
      placeholder="Select an instance"
      hint={instances.data?.length === 0 ? 'This project has no instances.' : undefined}
      {...choicesOf(instances)}
      options={offered.map(({ id, name: label, runState }) => ({
        value: id,
        label,
        detail: sentenceCase(runState),
      }))}
    />
  )
}
