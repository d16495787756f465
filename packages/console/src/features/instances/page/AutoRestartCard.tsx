// @chunk instance-settings: of one tab, which the other tabs of an instance do not need.
import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Card } from '#/ui/data/Card.tsx'
import { DateTime } from '#/ui/data/DateTime.tsx'
import { Term } from '#/ui/data/Term.tsx'
import { useSecond } from '#/ui/use-second.ts'
import { cooldownOf } from '../cooldown.ts'
import { type Instance, instanceView } from '../queries.ts'
import { SettingForm } from './SettingForm.tsx'

interface Props {
  project: string
  instance: string
}

/** `default` is the absence of a policy, which the API has no value for. */
type Choice = 'default' | NonNullable<Instance['autoRestartPolicy']>

const choices: readonly { value: Choice; label: string }[] = [
  { value: 'default', label: 'Default' },
  { value: 'never', label: 'Never' },
  { value: 'best_effort', label: 'Best effort' },
]

/** The setting for automatic restarts after a failure. */
export function AutoRestartCard({ project, instance: name }: Props) {
  const { data: instance } = useSuspenseQuery(instanceView(project, name))
  return (
    <Card title="Auto-restart">
      <div className="space-y-5">
        <SettingForm
          project={project}
          instance={instance}
          noun="auto-restart policy"
          label="Policy"
          hint="The system default is to restart, the same as Best effort. It may change in the future."
          choices={choices}
          stored={instance.autoRestartPolicy ?? 'default'}
          changeTo={(choice) => ({ autoRestartPolicy: choice === 'default' ? null : choice })}
        />
        <dl className="grid w-fit gap-x-8 gap-y-3 text-sm sm:grid-cols-2">
          <Cooldown instance={instance} />
          <Row
            label={
              <Term tip="When the instance last restarted automatically. N/A if it never has.">
                Last auto-restarted
              </Term>
            }
          >
            {instance.timeLastAutoRestarted ? <DateTime value={instance.timeLastAutoRestarted} /> : 'N/A'}
          </Row>
        </dl>
      </div>
    </Card>
  )
}

function Cooldown({ instance }: { instance: Instance }) {
  const { until, note } = cooldownOf(instance, useSecond())
  return (
    <Row
      label={
        <Term tip="A failed instance is not restarted again before this time. N/A if it never was, or if the time has passed.">
          Cooldown expiration
        </Term>
      }
    >
      {until ? <DateTime value={until} /> : 'N/A'}
      {note && <span className="text-muted"> ({note})</span>}
    </Row>
  )
}

function Row({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="text-strong">{children}</dd>
    </div>
  )
}
