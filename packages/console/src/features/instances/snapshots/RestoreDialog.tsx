import * as op from '@gantry/api/client/operations.gen'
import { type ReactNode, useState } from 'react'
import { useOp } from '#/data/use-op.ts'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { NameField } from '#/kit/forms/fields.tsx'
import { formatSeries } from '#/ui/data/format-amounts.ts'
import { Checkbox } from '#/ui/inputs/Checkbox.tsx'
import { NotYet } from './NotYet.tsx'
import { type InstanceSnapshot, type RestorePlan, restorePlan } from './queries.ts'
import { useFirst } from '#/features/recycle-bin/use-first.ts'

interface Props {
  snapshot: InstanceSnapshot
  onClose: () => void
}

/** Says what becomes of each disk before anything does. */
export function RestoreDialog({ snapshot, onClose }: Props) {
  const { data, error } = useFirst(restorePlan(snapshot.id))
  const whyNot = error ? failureText(error) : data?.inPlace.whyNot
  if (!data || whyNot)
    return <NotYet title="Restore instance" label="Restore" whyNot={whyNot ?? undefined} onClose={onClose} />
  return <Planned snapshot={snapshot} plan={data.inPlace} onClose={onClose} />
}

type Fate = RestorePlan['inPlace']['disks'][number]['fate']

function Planned({ snapshot, plan, onClose }: Props & { plan: RestorePlan['inPlace'] }) {
  const restore = useOp(op.instanceSnapshotRestore)
  const [keeps, setKeeps] = useState(true)
  const names = (fate: Fate): string[] =>
    plan.disks.filter((disk) => disk.fate === fate).map(({ name }) => name)
  return (
    <DialogForm
      title="Restore instance"
      submitLabel="Restore"
      pendingLabel="Restoring"
      initial={{ name: plan.proposedName }}
      save={({ name }, send) =>
        restore.run(
          {
            path: { instanceSnapshot: snapshot.id },
            query: {},
            body: { keepPresent: keeps, ...(keeps && { presentName: name }) },
          },
          send,
        )
      }
      saved={() => `Restoring instance ${snapshot.instanceName}`}
      onClose={onClose}
    >
      <p>
        Return <strong className="wrap-anywhere">{snapshot.instanceName}</strong> to instance snapshot{' '}
        <strong className="wrap-anywhere">{snapshot.name}</strong>? Nothing has changed yet.
      </p>
      <div className="grid gap-3 text-sm">
        <Fated title="Returns to that point in time" names={names('replaced')} />
        <Fated title="Is created again from its snapshot" names={names('created')} />
        <Fated title="Stays attached as it is" names={names('kept')} />
        <p className="text-muted">vCPUs, memory, network and other settings stay as they are now.</p>
      </div>
      <Checkbox checked={keeps} onChange={({ target }) => setKeeps(target.checked)}>
        Keep the present state as a snapshot
      </Checkbox>
      {keeps ? (
        <NameField name="name" label="Name of that snapshot" />
      ) : (
        <p className="text-sm">What the disks hold now is gone for good.</p>
      )}
    </DialogForm>
  )
}

function Fated({ title, names }: { title: string; names: string[] }): ReactNode {
  if (names.length === 0) return null
  return (
    <section>
      <h3 className="font-semibold text-strong">{title}</h3>
      <p className="wrap-anywhere">{formatSeries(names)}</p>
    </section>
  )
}
