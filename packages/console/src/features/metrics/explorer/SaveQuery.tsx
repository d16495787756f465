// @chunk apart: with the editor only.
import * as op from '@gantry/api/client/operations.gen'
import { useOp } from '#/data/use-op.ts'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { DescriptionField, NameField } from '#/kit/forms/fields.tsx'
import { linkedSuccessMessage } from '#/kit/feedback/success-message.tsx'
import { savedQueryLink } from '#/features/saved-queries/links.ts'
import { useWhyNotSave } from '#/features/saved-queries/parts.tsx'
import { inScope, type Scope } from '#/features/saved-queries/queries.ts'

interface Props {
  project: Scope
  query: string
  onClose: () => void
}

/** Asks for the name under which the query is shared. */
export function SaveQuery({ project, query, onClose }: Props) {
  const create = useOp(op.metricQueryCreate)
  return (
    <DialogForm
      title="Save query"
      width="narrow"
      initial={{ name: '', description: '' }}
      save={(values, send) =>
        create.run({ ...inScope(project), body: { ...values, query: query.trim() } }, send)
      }
      saved={({ name }) =>
        linkedSuccessMessage('saved query', name, 'created', savedQueryLink(project, name))
      }
      disabled={useWhyNotSave(project)}
      onClose={onClose}
    >
      <NameField
        name="name"
        hint={
          project === undefined
            ? 'Shared with all operators.'
            : `Shared with all members of project ${project}.`
        }
      />
      <DescriptionField name="description" />
    </DialogForm>
  )
}
