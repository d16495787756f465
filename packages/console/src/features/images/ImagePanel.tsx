import type { ReactNode } from 'react'
import { useState } from 'react'
import { CopyableId } from '../../ui/CopyButton.tsx'
import { DataItem, DataPlate } from '../../ui/DataPlate.tsx'
import { DateTime } from '../../ui/DateTime.tsx'
import { Field } from '../../ui/Field.tsx'
import { Figure } from '../../ui/Figures.tsx'
import { bytesToGib } from '../../ui/format-amounts.ts'
import { SideModal } from '../../ui/SideModal.tsx'
import { TextArea, TextInput } from '../../ui/TextInput.tsx'
import { useClose } from '../common/forms/use-close.ts'
import { wasPushed } from '../common/last-action.ts'
import type { Image } from './queries.ts'

/** An image, to look at: nothing of it can be changed once it is made. */
export function ImagePanel({ image, closeTo }: { image: Image; closeTo: string }) {
  const close = useClose(closeTo)
  const [animate] = useState(wasPushed)
  const { id, name, description, os, version, size, digest, projectId, timeCreated, timeModified } = image
  return (
    <SideModal
      title={projectId ? 'Project image' : 'Silo image'}
      context={name}
      animate={animate}
      onRequestClose={close}
    >
      <div className="space-y-5.5">
        <DataPlate narrow>
          <DataItem label="Shared with">{projectId ? 'Project' : 'Silo'}</DataItem>
          <DataItem label="Size">
            <Figure value={bytesToGib(size)} unit="GiB" />
          </DataItem>
          <DataItem label="ID" wide>
            <CopyableId id={id} max={40} />
          </DataItem>
          {digest && (
            <DataItem label={`Digest (${digest.type})`} wide>
              <CopyableId id={digest.value} />
            </DataItem>
          )}
          <DataItem label="Created">
            <DateTime value={timeCreated} />
          </DataItem>
          <DataItem label="Updated">
            <DateTime value={timeModified} />
          </DataItem>
        </DataPlate>
        <Fixed label="Name">
          <TextInput value={name} disabled />
        </Fixed>
        <Fixed label="Description">
          <TextArea value={description} disabled />
        </Fixed>
        <Fixed label="OS">
          <TextInput value={os} disabled />
        </Fixed>
        <Fixed label="Version">
          <TextInput value={version} disabled />
        </Fixed>
      </div>
    </SideModal>
  )
}

const Fixed = ({ label, children }: { label: string; children: ReactNode }) => (
  <Field label={label}>{children}</Field>
)
