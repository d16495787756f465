// @chunk apart: a form, which the page of tags opens for few.
import { capitalise } from '@gantry/api/base/errors.rules'
import * as op from '@gantry/api/client/operations.gen'
import { type DemandableKind, demandableKinds, tagDemandLimits } from '@gantry/api/tags/tag-demand.rules'
import { isReserved, tagKeyProblem } from '@gantry/api/tags/tag.rules'
import { useOp } from '#/data/use-op.ts'
import { CheckboxField } from '#/kit/forms/choice-fields.tsx'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { TextField } from '#/kit/forms/fields.tsx'
import { kindWord } from '#/kit/page/stored-values.ts'
import { sentenceCase } from '#/ui/data/format.ts'
import { type TagDemand, tagDemand } from './demand.ts'

interface Props {
  demand: TagDemand
  onClose: () => void
}

interface Values {
  keys: string
  isForAllClients: boolean
  kinds: Record<DemandableKind, boolean>
}

const keysIn = (text: string): string[] => [...new Set(text.split(/[\s,]+/).filter((key) => key !== ''))]

function keysProblem(text: string): string | undefined {
  const keys = keysIn(text)
  if (keys.length > tagDemandLimits.keys) return `At most ${tagDemandLimits.keys} keys can be required`
  for (const key of keys) {
    const problem = isReserved(key) ? `the tag "${key}" belongs to the platform` : tagKeyProblem(key)
    if (problem) return capitalise(problem)
  }
  return undefined
}

/** Which tags new objects of the silo need. */
export function TagDemandDialog({ demand, onClose }: Props) {
  const update = useOp(op.tagDemandUpdate, { seeds: () => tagDemand })
  const initial: Values = {
    keys: demand.keys.join(', '),
    isForAllClients: demand.isForAllClients,
    kinds: Object.fromEntries(
      demandableKinds.map((kind) => [kind, demand.kinds.includes(kind)]),
    ) as Values['kinds'],
  }
  return (
    <DialogForm<Values, TagDemand>
      title="Required tags"
      submitLabel="Save"
      pendingLabel="Saving"
      initial={initial}
      save={({ keys, isForAllClients, kinds }, send) =>
        update.run(
          {
            body: {
              keys: keysIn(keys),
              kinds: demandableKinds.filter((kind) => kinds[kind]),
              isForAllClients,
            },
          },
          send,
        )
      }
      saved={() => 'Required tags updated'}
      onClose={onClose}
    >
      <p className="text-muted">
        Forms ask for a value of each key when something is created. What exists already stays as it is.
      </p>
      <TextField
        name="keys"
        label="Keys"
        hint="Separated by commas. Without any, nothing is required."
        optional
        mono
        problem={keysProblem}
      />
      <fieldset className="grid gap-2">
        <legend className="mb-2 text-sm font-medium text-strong">Of new</legend>
        {demandableKinds.map((kind) => (
          <CheckboxField key={kind} name={`kinds.${kind}`}>
            {sentenceCase(kindWord(kind))}s
          </CheckboxField>
        ))}
      </fieldset>
      <CheckboxField name="isForAllClients">
        Also refuse programs that send no tags, such as older scripts and Terraform
      </CheckboxField>
    </DialogForm>
  )
}
