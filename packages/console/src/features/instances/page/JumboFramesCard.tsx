// @chunk apart: cards of the settings of an instance, below others.
import { useSuspenseQuery } from '@tanstack/react-query'
import { useWhyLacking } from '#/data/fleet.ts'
import { Card } from '#/ui/data/Card.tsx'
import { instanceView } from '../queries.ts'
import { SettingForm } from './SettingForm.tsx'

const choices = [
  { value: 'off', label: 'Usual, 1,500 bytes' },
  { value: 'on', label: 'Jumbo, 8,500 bytes' },
] as const

/** The size of frames at the primary network interface, where a fleet has larger ones. */
export function JumboFramesCard({ project, instance: name }: { project: string; instance: string }) {
  const { data: instance } = useSuspenseQuery(instanceView(project, name))
  if (useWhyLacking('jumbo_frames')) return null
  return (
    <Card title="Frames">
      <SettingForm
        project={project}
        instance={instance}
        noun="size of frames"
        label="Size"
        hint="Of the primary network interface, from the next start on. Operators allow or forbid jumbo frames for all instances."
        choices={choices}
        stored={instance.enableJumboFrames ? 'on' : 'off'}
        changeTo={(choice) => ({ enableJumboFrames: choice === 'on' })}
      />
    </Card>
  )
}
