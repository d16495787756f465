// @chunk apart: of the storage page of an instance, below its disks.
import { bootWords } from '@gantry/api/compute/boot-order.rules'
import { cdDrives, cdWords } from '@gantry/api/storage/cd.rules'
import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { asFailure } from '#/data/failure.ts'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { imageOption, isCd } from '#/features/images/parts.ts'
import { allSiloImages, offeredImages } from '#/features/images/queries.ts'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { ChoiceField } from '#/kit/forms/choice-fields.tsx'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { useOffered } from '#/kit/list/use-offered.ts'
import { choicesOf } from '#/kit/list/choices-of.ts'
import { Button } from '#/ui/Button.tsx'
import { Card } from '#/ui/data/Card.tsx'
import { toast } from '#/ui/overlays/toast.ts'
import { instanceAt, instanceHardware } from '../queries.ts'

interface Props {
  project: string
  instance: string
}

/** What is in the CD drives of an instance, and what it boots from. */
export function CdsCard({ project, instance }: Props) {
  const { data: hardware } = useQuery(instanceHardware(project, instance))
  const update = useOp(op.instanceCdsUpdate, { seeds: () => instanceHardware(project, instance) })
  const whyNot = useWhyNotInProject(project)
  const [drive, setDrive] = useState<number>()
  if (!hardware) return null
  const { cds, firmware, bootDisk } = hardware
  const send = (at: number, image: string | null) =>
    update.run({
      ...instanceAt(project, instance),
      body: { cds: cds.map((cd, other) => (other === at ? image : (cd?.imageId ?? null))) },
    })
  const eject = async (at: number) => {
    try {
      await send(at, null)
      toast.success('CD ejected')
    } catch (error) {
      toast.error({ title: 'Could not eject the CD', text: failureText(asFailure(error)) })
    }
  }
  const inserted = cds.flatMap((cd) => (cd ? [{ name: nameOf(cd), kind: cd.kind }] : []))
  return (
    <Card
      title="CD drives"
      description={bootWords({
        firmware,
        cds: inserted,
        disk: bootDisk ? `disk ${bootDisk.name}` : undefined,
      })}
      footer={`Each instance has ${cdDrives} drives. CDs are inserted, changed and ejected at once, also while the instance runs.`}
    >
      <ul className="space-y-3">
        {cds.map((cd, at) => (
          // The drives stay in their order.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={at} className="flex flex-wrap items-center gap-2">
            <div className="min-w-0 grow">
              <p className="text-strong wrap-anywhere">
                Drive {at + 1}: {cd ? nameOf(cd) : 'empty'}
              </p>
              {cd?.kind && <p className="text-sm text-muted">{cdWords[cd.kind]}</p>}
            </div>
            <div className="flex flex-wrap gap-2">
              <Button
                disabledReason={whyNot}
                aria-label={`${cd ? 'Change' : 'Insert'} CD in drive ${at + 1}`}
                onClick={() => setDrive(at)}
              >
                {cd ? 'Change CD' : 'Insert CD'}
              </Button>
              {cd && (
                <Button
                  disabledReason={whyNot}
                  aria-label={`Eject CD from drive ${at + 1}`}
                  onClick={() => void eject(at)}
                >
                  Eject
                </Button>
              )}
            </div>
          </li>
        ))}
      </ul>
      {drive !== undefined && (
        <InsertCdDialog
          project={project}
          onInsert={(image) => send(drive, image)}
          onClose={() => setDrive(undefined)}
        />
      )}
    </Card>
  )
}

const nameOf = ({ name }: { name: string | null }): string => name ?? 'an image that you may not see'

interface DialogProps {
  project: string
  onInsert: (image: string) => Promise<unknown>
  onClose: () => void
}

function InsertCdDialog({ project, onInsert, onClose }: DialogProps) {
  const own = useOffered(offeredImages(project))
  const silo = useQuery(allSiloImages)
  const cds = [
    ...(own.data ?? []).filter(isCd).map((image) => imageOption(image, 'project')),
    ...(silo.data ?? []).filter(isCd).map((image) => imageOption(image, 'silo')),
  ]
  return (
    <DialogForm
      title="Insert CD"
      submitLabel="Insert CD"
      pendingLabel="Inserting CD"
      initial={{ image: '' }}
      save={({ image }) => onInsert(image)}
      saved={() => 'CD inserted'}
      onClose={onClose}
    >
      <ChoiceField
        name="image"
        label="Image"
        placeholder="Select an ISO image"
        hint={
          own.data && silo.data && cds.length === 0
            ? 'No image is a CD. Upload an ISO file as an image first.'
            : undefined
        }
        {...choicesOf(own, silo)}
        options={cds}
      />
    </DialogForm>
  )
}
