import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import { useOp } from '#/data/use-op.ts'
import { allProjects } from '#/features/projects/queries.ts'
import { ChoiceField } from '#/kit/forms/choice-fields.tsx'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { formatCount } from '#/ui/data/format-amounts.ts'
import { targetAt } from './queries.ts'

interface Props {
  target: string
  backups: readonly string[]
  onAdopted: () => void
  onClose: () => void
}

/** Lists backups with those of a project of the operator's own silo, where each is restored as a new instance. */
export function AdoptDialog({ target, backups, onAdopted, onClose }: Props) {
  const adopt = useOp(op.backupTargetAdopt)
  const { data: projects, isLoading } = useQuery(allProjects)
  return (
    <DialogForm
      title="Adopt backups"
      submitLabel="Adopt"
      pendingLabel="Adopting"
      initial={{ project: '' }}
      save={async ({ project }, send) => {
        await adopt.run({ ...targetAt(target), body: { project, backups: [...backups] } }, send)
        return project
      }}
      saved={(project) => `${formatCount(backups.length, 'backup')} adopted into project ${project}`}
      onSaved={onAdopted}
      onClose={onClose}
    >
      <p>
        {`Lists ${formatCount(backups.length, 'backup')} with those of a project. Each is restored there as a new instance, by users who may create instances in it.`}
      </p>
      <ChoiceField
        name="project"
        label="Project"
        loading={isLoading}
        placeholder="Select a project"
        options={(projects ?? []).map(({ name }) => ({ value: name, label: name }))}
      />
    </DialogForm>
  )
}
