// @chunk apart: cards of the settings of an instance, below others.
import * as op from '@gantry/api/client/operations.gen'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { HardwareFields, type HardwareValues } from '#/features/images/HardwareFields.tsx'
import { deviceWords, firmwareWords } from '#/features/images/hardware-words.ts'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { Button } from '#/ui/Button.tsx'
import { Card } from '#/ui/data/Card.tsx'
import { DataItem, DataPlate } from '#/ui/data/DataPlate.tsx'
import { Note } from '#/ui/feedback/Note.tsx'
import { isLater } from '../pending.ts'
import { type Instance, instanceAt, instanceHardware, instanceView } from '../queries.ts'
import { choiceWords } from './choice-words.ts'

interface Props {
  project: string
  instance: string
}

/** Firmware and devices of an instance's machines, and why they are those. */
export function HardwareCard({ project, instance: name }: Props) {
  const { data: instance } = useSuspenseQuery(instanceView(project, name))
  const { data: hardware } = useQuery(instanceHardware(project, name))
  const whyNot = useWhyNotInProject(project)
  const [isOpen, setIsOpen] = useState(false)
  if (!hardware) return null
  const { chosen, cds: _cds, bootDisk, ...is } = hardware
  const isChosen = Object.values(chosen).some((value) => value != null)
  return (
    <Card
      title="Firmware and devices"
      description={
        isChosen
          ? `Chosen for the instance: ${choiceWords(chosen)}. The rest is what its boot disk says.`
          : bootDisk
            ? `What its boot disk ${bootDisk.name} says.`
            : 'What is usual: no boot disk says otherwise.'
      }
      actions={
        <Button
          disabledReason={whyNot}
          aria-label="Change firmware and devices"
          onClick={() => setIsOpen(true)}
        >
          Change
        </Button>
      }
    >
      <DataPlate columns={3}>
        <DataItem label="Firmware">{firmwareWords(is)}</DataItem>
        <DataItem label="Devices">{deviceWords(is)}</DataItem>
        <DataItem label="Clock">{is.clock === 'local' ? "The host's time zone" : 'UTC'}</DataItem>
      </DataPlate>
      {isOpen && (
        <InstanceHardwareDialog
          project={project}
          instance={instance}
          is={is}
          chosen={chosen}
          onClose={() => setIsOpen(false)}
        />
      )}
    </Card>
  )
}

interface DialogProps {
  project: string
  instance: Instance
  is: HardwareValues
  chosen: NonNullable<Instance['hardware']>
  onClose: () => void
}

function InstanceHardwareDialog({ project, instance, is, chosen, onClose }: DialogProps) {
  const { name } = instance
  const update = useOp(op.instanceHardwareUpdate, { seeds: () => instanceHardware(project, name) })
  const later = isLater(instance)
  const waiting = later ? instance.pending?.hardware : undefined
  const initial: HardwareValues = { ...is, ...given(waiting) }
  return (
    <DialogForm<HardwareValues, unknown>
      title="Change firmware and devices"
      submitLabel="Change"
      pendingLabel="Changing"
      initial={initial}
      save={(values, send) =>
        update.run(
          {
            ...instanceAt(project, name),
            body: {
              chosen: {
                ...(waiting ?? chosen),
                // A choice of before that is out of sight.
                ...differing(initial, {
                  ...values,
                  secureBoot: values.secureBoot && values.firmware === 'uefi',
                }),
              },
            },
          },
          send,
        )
      }
      saved={() => successMessage('Instance', name, 'changed')}
      onClose={onClose}
    >
      <HardwareFields hint="An installed system starts only by the firmware that it was installed with." />
      {later && <Note>The instance runs: this takes effect with its next start.</Note>}
    </DialogForm>
  )
}

const given = (choice: Instance['hardware']): Partial<HardwareValues> =>
  Object.fromEntries(Object.entries(choice ?? {}).filter(([, value]) => value != null))

const differing = (was: HardwareValues, now: HardwareValues): Partial<HardwareValues> =>
  Object.fromEntries(Object.entries(now).filter(([key, value]) => was[key as keyof HardwareValues] !== value))
