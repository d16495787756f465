// @chunk apart: cards of the settings of an instance, below others.
import { type CpuPlatformName, cpuPlatforms, cpuPlatformWords } from '@gantry/api/compute/cpu-platform.rules'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useWhyLacking } from '#/data/fleet.ts'
import { Card } from '#/ui/data/Card.tsx'
import { instanceView } from '../queries.ts'
import { whyNotInstance } from '../reasons.ts'
import { SettingForm } from './SettingForm.tsx'

interface Props {
  project: string
  instance: string
}

const choices: readonly { value: CpuPlatformName | 'any'; label: string }[] = [
  { value: 'any', label: 'Any' },
  ...cpuPlatforms.map((value) => ({ value, label: cpuPlatformWords[value] })),
]

/** The processor that the guest sees, where sleds are told apart by theirs. */
export function CpuPlatformCard({ project, instance: name }: Props) {
  const { data: instance } = useSuspenseQuery(instanceView(project, name))
  if (useWhyLacking('cpu_platforms')) return null
  return (
    <Card title="CPU platform">
      <SettingForm
        project={project}
        instance={instance}
        noun="CPU platform"
        label="Platform"
        hint="The processor that the guest sees. Only sleds that can run it take the instance."
        choices={choices}
        stored={instance.cpuPlatform ?? 'any'}
        changeTo={(choice) => ({ cpuPlatform: choice === 'any' ? null : choice })}
        whyNot={whyNotInstance('resize', instance.runState) && 'The instance must be stopped first'}
      />
    </Card>
  )
}
