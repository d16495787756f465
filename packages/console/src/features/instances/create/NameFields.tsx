import { batchLimits } from '@gantry/api/compute/instance-batch.rules'
import { useWatch } from 'react-hook-form'
import { NumberField } from '#/kit/forms/choice-fields.tsx'
import { useTextField } from '#/kit/forms/fields.tsx'
import { useHasExtensions } from '#/kit/page/use-served.ts'
import { Field } from '#/ui/inputs/Field.tsx'
import { TextInput } from '#/ui/inputs/TextInput.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { nameOrPatternProblem } from './batch-body.ts'
import { countOf, type InstanceValues } from './values.ts'

const BatchFields = lazyPart(() => import('./BatchFields.tsx'), 'BatchFields', <div className="h-40" />)

/** The name of the new instance, or the names of several. */
export function NameFields({ project }: { project: string }) {
  const hasBatches = useHasExtensions()
  const [count, first] = useWatch<InstanceValues, ['count', 'first']>({ name: ['count', 'first'] })
  const isMany = countOf({ count }) > 1
  const { input, error } = useTextField('name', (name) => nameOrPatternProblem(name, { count, first }))
  return (
    <>
      <Field
        label="Name"
        hint={
          isMany
            ? '{n} stands for the number of each, as in web-{n}. Without it, the number goes to the end.'
            : 'Lower-case letters, digits and dashes.'
        }
        error={error}
      >
        <TextInput {...input} />
      </Field>
      {hasBatches && (
        <NumberField
          name="count"
          label="Number of instances"
          min={1}
          max={batchLimits.instances}
          hint={isMany ? undefined : 'More than one are created as one task.'}
        />
      )}
      {isMany && <BatchFields project={project} />}
    </>
  )
}
