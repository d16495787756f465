import { isRestartingSoon } from '@gantry/api/instance.rules'
import { RotateCcwSquare } from 'lucide-react'
import { type ReactNode, useSyncExternalStore } from 'react'
import { buttonClass } from '../../../ui/Button.tsx'
import { classes } from '../../../ui/classes.ts'
import { Popover, type PopoverTriggerProps } from '../../../ui/Popover.tsx'
import { Spinner } from '../../../ui/Spinner.tsx'
import { StatePlate } from '../../../ui/StatePlate.tsx'
import { Tag } from '../../../ui/Tag.tsx'
import { longDistance } from '../long-distance.ts'
import type { Instance } from '../queries.ts'

/** Whether a failed instance will start again by itself, and when. */
export function AutoRestart({ instance }: { instance: Instance }) {
  return (
    <Popover label="Auto-restart status" trigger={statusButton}>
      <Status instance={instance} />
    </Popover>
  )
}

const statusButton = (props: PopoverTriggerProps): ReactNode => (
  <button
    {...props}
    aria-label="Auto-restart status"
    className={classes(buttonClass({ kind: 'quiet', icon: true }), '-my-1 size-6! coarse:size-11!')}
  >
    <RotateCcwSquare aria-hidden strokeWidth={1.75} className="size-4" />
  </button>
)

const policies = { never: 'never', best_effort: 'best effort' } as const

function Status({ instance }: { instance: Instance }) {
  const now = useSecond()
  const { autoRestartEnabled, autoRestartPolicy, autoRestartCooldownExpiration } = instance
  const isSoon = isRestartingSoon(instance, now)
  return (
    <>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-5 gap-y-2 px-4 pt-3.5">
        <Row label="Auto Restart">
          <StatePlate family={autoRestartEnabled ? 'ok' : 'gone'}>
            {autoRestartEnabled ? 'Enabled' : 'Disabled'}
          </StatePlate>
        </Row>
        <Row label="Policy">
          <Tag>{autoRestartPolicy ? policies[autoRestartPolicy] : 'Default'}</Tag>
        </Row>
        {autoRestartEnabled && autoRestartCooldownExpiration && (
          <Row label="Cooldown">
            {isSoon ? (
              <>
                <Spinner /> restarting soon…
              </>
            ) : (
              <>
                Waiting{' '}
                <span className="text-muted">
                  ({longDistance(autoRestartCooldownExpiration.getTime() - now.getTime())})
                </span>
              </>
            )}
          </Row>
        )}
      </dl>
      <p className="max-w-72 px-4 pt-2.5 pb-3.5 text-muted">{outlook(autoRestartEnabled, isSoon)}</p>
    </>
  )
}

function outlook(isEnabled: boolean, isSoon: boolean): string {
  if (!isEnabled) return 'The instance will not restart by itself. Start it when its cause is mended.'
  return isSoon
    ? 'The instance will restart soon.'
    : 'The instance will restart once its cooldown is over. It can be started by hand before.'
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{label}</dt>
      <dd className="flex items-center gap-1.5 text-strong">{children}</dd>
    </>
  )
}

const everySecond = (listener: () => void): (() => void) => {
  const clock = setInterval(listener, 1000)
  return () => clearInterval(clock)
}

/** The time, to the second: a cooldown ends without anything else changing. */
function useSecond(): Date {
  const second = useSyncExternalStore(everySecond, () => Math.floor(Date.now() / 1000))
  return new Date(second * 1000)
}
