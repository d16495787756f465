import * as op from '@gantry/api/client/operations.gen'
import { useOp } from '#/data/use-op.ts'
import { instanceLink } from '../links.ts'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import { CheckboxField } from '#/kit/forms/choice-fields.tsx'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { NameField } from '#/kit/forms/fields.tsx'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { kindWord } from '#/kit/page/stored-values.ts'
import { formatCount, formatSeries } from '#/ui/data/format-amounts.ts'
import { NotYet } from './NotYet.tsx'
import { type InstanceSnapshot, type RestorePlan, restorePlan } from './queries.ts'
import { useFirst } from '#/features/recycle-bin/use-first.ts'

interface Props {
  project: string
  snapshot: InstanceSnapshot
  onClose: () => void
}

/** Another instance with the disks and settings of the snapshot. */
export function NewInstanceDialog({ project, snapshot, onClose }: Props) {
  const { data, error } = useFirst(restorePlan(snapshot.id))
  const whyNot = error ? failureText(error) : data?.asNew.whyNot
  if (!data || whyNot)
    return (
      <NotYet
        title="Create instance from snapshot"
        label="Create instance"
        whyNot={whyNot ?? undefined}
        onClose={onClose}
      />
    )
  return <Planned project={project} snapshot={snapshot} plan={data.asNew} onClose={onClose} />
}

const missingText = ({ kind, name }: RestorePlan['asNew']['missing'][number]): string =>
  kind === 'ssh-key' ? formatCount(Number(name), 'SSH key') : `${kindWord(kind)} ${name}`

function Planned({ project, snapshot, plan, onClose }: Props & { plan: RestorePlan['asNew'] }) {
  const create = useOp(op.instanceSnapshotUse)
  const { settings, disks } = snapshot
  return (
    <DialogForm
      title="Create instance from snapshot"
      submitLabel="Create instance"
      pendingLabel="Creating instance"
      initial={{ name: plan.proposedName, start: false }}
      save={(body, send) => create.run({ path: { instanceSnapshot: snapshot.id }, query: {}, body }, send)}
      saved={({ name }) => ({
        text: successMessage('Instance', name, 'created'),
        action: (
          <PageLink {...instanceLink(project, name)} className="link">
            View instance
          </PageLink>
        ),
      })}
      onClose={onClose}
    >
      <p>
        A new instance with {formatCount(settings.ncpus, 'vCPU')} and {formatCount(disks.length, 'new disk')}{' '}
        from <strong className="wrap-anywhere">{snapshot.name}</strong>. Its addresses are new.
      </p>
      {plan.missing.length > 0 && (
        <p className="text-sm">
          {`It will lack what no longer exists: ${formatSeries(plan.missing.map(missingText))}.`}
        </p>
      )}
      <NameField name="name" hint="Also its hostname." />
      <CheckboxField name="start">Start instance</CheckboxField>
    </DialogForm>
  )
}
