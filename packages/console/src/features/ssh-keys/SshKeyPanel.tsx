import { useState } from 'react'
import { CopyableId, CopyButton } from '../../ui/CopyButton.tsx'
import { DataItem, DataPlate } from '../../ui/DataPlate.tsx'
import { DateTime } from '../../ui/DateTime.tsx'
import { Field } from '../../ui/Field.tsx'
import { SideModal } from '../../ui/SideModal.tsx'
import { TextArea, TextInput } from '../../ui/TextInput.tsx'
import { useClose } from '../common/forms/use-close.ts'
import { wasPushed } from '../common/last-action.ts'
import type { SshKey } from './queries.ts'

/** A key, to look at and to copy: a changed one would be another key. */
export function SshKeyPanel({ sshKey, closeTo }: { sshKey: SshKey; closeTo: string }) {
  const close = useClose(closeTo)
  const [animate] = useState(wasPushed)
  const { id, name, description, publicKey, timeCreated, timeModified } = sshKey
  return (
    <SideModal title="View SSH key" context={name} animate={animate} onRequestClose={close}>
      <div className="space-y-5.5">
        <DataPlate narrow>
          <DataItem label="ID" wide>
            <CopyableId id={id} max={40} />
          </DataItem>
          <DataItem label="Created">
            <DateTime value={timeCreated} />
          </DataItem>
          <DataItem label="Updated">
            <DateTime value={timeModified} />
          </DataItem>
        </DataPlate>
        <Field label="Name">
          <TextInput value={name} disabled />
        </Field>
        <Field label="Description">
          <TextArea value={description} disabled />
        </Field>
        <div className="relative">
          <Field label="Public key">
            <TextArea value={publicKey} rows={8} mono disabled />
          </Field>
          <span className="absolute top-0 right-0">
            <CopyButton text={publicKey} />
          </span>
        </div>
      </div>
    </SideModal>
  )
}
