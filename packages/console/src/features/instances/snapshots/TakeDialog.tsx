import * as op from '@gantry/api/client/operations.gen'
import { NewTags } from '#/features/tags/NewTags.tsx'
import { generateName } from '@gantry/api/base/name.rules'
import { hasMachine } from '@gantry/api/system/fleet.rules'
import { useState } from 'react'
import { useOp } from '#/data/use-op.ts'
import { instanceLink } from '../links.ts'
import type { Instance } from '../queries.ts'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { DescriptionField, NameField } from '#/kit/forms/fields.tsx'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { randomHex } from '#/kit/page/bytes.ts'

interface Props {
  project: string
  instance: Instance
  onClose: () => void
}

/** Takes a snapshot of all disks of an instance. */
export function TakeDialog({ project, instance, onClose }: Props) {
  const take = useOp(op.instanceSnapshotCreate)
  const [initial] = useState({ name: generateName(randomHex, instance.name), description: '' })
  return (
    <DialogForm
      title="Take snapshot"
      submitLabel="Take snapshot"
      pendingLabel="Taking snapshot"
      initial={initial}
      save={(values, send) =>
        take.run({ query: { project }, body: { ...values, instance: instance.id } }, send)
      }
      saved={({ name, state }) => ({
        text: successMessage(
          'Instance snapshot',
          name,
          state === 'creating' ? 'is being created' : 'created',
        ),
        action: (
          <PageLink {...instanceLink(project, instance.name, 'snapshots')} className="link">
            View snapshots
          </PageLink>
        ),
      })}
      onClose={onClose}
    >
      <p>
        All disks of <strong className="wrap-anywhere">{instance.name}</strong> at one point in time, with the
        settings of the instance.
      </p>
      {hasMachine(instance.runState) && (
        <p className="text-muted">
          The instance keeps running. If its guest agent can freeze the file systems for a moment, the
          snapshot is consistent; else its disks will hold what a power cut would have left. Stop the instance
          first if its programs cannot recover from that.
        </p>
      )}
      <NameField name="name" />
      <DescriptionField name="description" />
      <NewTags kind="instance-snapshot" project={project} />
    </DialogForm>
  )
}
