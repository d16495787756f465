import { type CpuPlatformName, cpuPlatforms, cpuPlatformWords } from '@gantry/api/compute/cpu-platform.rules'
import { useWhyLacking } from '#/data/fleet.ts'
import { Accordion } from '#/ui/Accordion.tsx'
import { Field } from '#/ui/inputs/Field.tsx'
import { RadioGroup } from '#/ui/inputs/Radio.tsx'
import { useFormField } from '#/kit/forms/fields.tsx'
import { useOpenOnError } from '#/kit/forms/use-open-on-error.ts'
import { UserDataFields } from './user-data/UserDataFields.tsx'
import { Lockable } from './template/Lockable.tsx'
import type { AutoRestartChoice } from './values.ts'

export function ConfigurationSection() {
  const ref = useOpenOnError(['userData', 'userDataText'])
  return (
    <div ref={ref}>
      <Accordion title="Configuration">
        <div className="space-y-5">
          <Lockable field="user_data">
            <UserDataFields />
          </Lockable>
          <Lockable field="auto_restart_policy">
            <AutoRestartField />
          </Lockable>
          <Lockable field="cpu_platform">
            <CpuPlatformField />
          </Lockable>
        </div>
      </Accordion>
    </div>
  )
}

const policies: readonly { value: AutoRestartChoice; label: string }[] = [
  { value: 'default', label: 'Default' },
  { value: 'never', label: 'Never' },
  { value: 'best_effort', label: 'Best effort' },
]

function AutoRestartField() {
  const { value, onChange } = useFormField<AutoRestartChoice>('autoRestartPolicy')
  return (
    <Field
      group
      label="Auto-restart policy"
      hint="Whether a failed instance restarts automatically. The default is best effort."
    >
      <RadioGroup options={policies} value={value} onChange={onChange} />
    </Field>
  )
}

/** Only where sleds are told apart by their processors. */
function CpuPlatformField() {
  const { value, onChange } = useFormField<CpuPlatformName | ''>('cpuPlatform')
  if (useWhyLacking('cpu_platforms')) return null
  return (
    <Field
      group
      label="CPU platform"
      hint="The processor that the guest sees. Only sleds that can run it take the instance."
    >
      <RadioGroup
        options={[
          { value: '', label: 'Any' },
          ...cpuPlatforms.map((platform) => ({ value: platform, label: cpuPlatformWords[platform] })),
        ]}
        value={value}
        onChange={onChange}
      />
    </Field>
  )
}
