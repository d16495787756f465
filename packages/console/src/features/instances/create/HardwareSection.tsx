import { hardwarePresets } from '@gantry/api/compute/instance.rules'
import { useQuery } from '@tanstack/react-query'
import { use, useEffect } from 'react'
import { useFormContext } from 'react-hook-form'
import { plural } from '#/ui/data/format.ts'
import { RadioCards } from '#/ui/inputs/RadioCards.tsx'
import { Segmented } from '#/ui/inputs/Segmented.tsx'
import { NumberField } from '#/kit/forms/choice-fields.tsx'
import { useFormField } from '#/kit/forms/fields.tsx'
import { utilizationView } from '#/features/utilization/capacities.ts'
import { cpusProblem, memoryProblem } from '../hardware.ts'
import { FormSection } from './FormSection.tsx'
import { Lockable, UsedTemplate } from './template/Lockable.tsx'
import { hardwareWithin, isTooLarge, presetOf } from './presets.ts'
import {
  hardwareOf,
  type HardwareTab,
  type InstanceValues,
  presetKey,
  type PresetTab,
  presetTabs,
} from './values.ts'

const tabs: readonly { value: HardwareTab; label: string }[] = [...presetTabs, 'Custom' as const].map(
  (tab) => ({
    value: tab,
    label: tab,
  }),
)

export function HardwareSection() {
  const form = useFormContext<InstanceValues>()
  const tab = useFormField<HardwareTab>('hardwareTab')
  const quota = useQuery(utilizationView).data?.capacity
  const template = use(UsedTemplate)
  // A template's is not replaced unasked.
  useFittingHardware(template ? undefined : quota)
  return (
    <FormSection title="Hardware" hint="Pick a preset or build a custom machine.">
      <Lockable field="hardware">
        <div className="space-y-3">
          <Segmented
            label="Hardware"
            options={tabs}
            value={tab.value}
            onChange={(next) => {
              tab.onChange(next)
              // A preset hidden by another tab must never apply.
              if (next !== 'Custom') form.setValue('preset', presetOf(next, quota), { shouldDirty: true })
            }}
          />
          {tab.value === 'Custom' ? <CustomFields /> : <Presets tab={tab.value} quota={quota} />}
        </div>
      </Lockable>
    </FormSection>
  )
}

type Quota = Parameters<typeof hardwareWithin>[0]

/** Replaces hardware that is too large for the silo's quota once that is known, unless the user has changed the form. */
function useFittingHardware(quota: Quota | undefined): void {
  const { getValues, setValue, formState } = useFormContext<InstanceValues>()
  const { isDirty } = formState
  useEffect(() => {
    const values = getValues()
    const { ncpus, memoryGib } = hardwareOf(values)
    if (!quota || isDirty || values.hardwareTab === 'Custom' || !isTooLarge([ncpus, memoryGib], quota)) return
    for (const [name, value] of Object.entries(hardwareWithin(quota)))
      setValue(name as keyof ReturnType<typeof hardwareWithin>, value)
  }, [quota, isDirty, getValues, setValue])
}

function Presets({ tab, quota }: { tab: PresetTab; quota: Quota | undefined }) {
  const preset = useFormField<string>('preset')
  return (
    <RadioCards
      label={tab}
      value={preset.value}
      onChange={preset.onChange}
      options={hardwarePresets[tab].map(([ncpus, gib]) => ({
        value: presetKey([ncpus, gib]),
        figure: ncpus,
        unit: plural('vCPU', ncpus),
        detail: `${gib} GiB RAM`,
        name: `${ncpus} CPU ${gib} gibibytes RAM${isTooLarge([ncpus, gib], quota) ? ', more than the quota' : ''}`,
        disabled: isTooLarge([ncpus, gib], quota),
      }))}
    />
  )
}

/** A value out of range is kept and reported, because a user who types 999 should learn the limit. */
function CustomFields() {
  return (
    <div className="space-y-5 pt-1">
      <NumberField name="ncpus" label="CPUs" min={1} problem={(value) => cpusProblem(value)} />
      <NumberField name="memory" label="Memory" unit="GiB" min={1} problem={memoryProblem} />
    </div>
  )
}
