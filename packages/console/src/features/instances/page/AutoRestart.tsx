import { isRestartingSoon } from '@gantry/api/compute/instance.rules'
import ArrowRight from 'lucide-react/icons/arrow-right'
import RotateCcwSquare from 'lucide-react/icons/rotate-ccw-square'
import type { ReactNode } from 'react'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { buttonClass } from '#/ui/Button.tsx'
import { classes } from '#/ui/classes.ts'
import { Popover, type PopoverTriggerProps } from '#/ui/overlays/Popover.tsx'
import { Spinner } from '#/ui/feedback/Spinner.tsx'
import { StatePlate } from '#/ui/data/StatePlate.tsx'
import { Tag } from '#/ui/data/Tag.tsx'
import { useSecond } from '#/ui/use-second.ts'
import { instanceLink } from '../links.ts'
import { longDistance } from '../cooldown.ts'
import { type Instance } from '../queries.ts'

interface Props {
  project: string
  instance: Instance
}

/** Whether and when a failed instance will restart automatically. */
export function AutoRestart({ project, instance }: Props) {
  return (
    <Popover label="Auto-restart status" trigger={statusButton}>
      <Status project={project} instance={instance} />
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

function Status({ project, instance }: Props) {
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
          <PageLink
            {...instanceLink(project, instance.name, 'settings')}
            className="link inline-flex items-center gap-1"
          >
            <Tag>{autoRestartPolicy ? policies[autoRestartPolicy] : 'Default'}</Tag>
            <ArrowRight aria-hidden strokeWidth={1.75} className="size-4" />
          </PageLink>
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
  if (!isEnabled) return 'The instance will not restart automatically. Fix the cause, then start it.'
  return isSoon
    ? 'The instance will restart soon.'
    : 'The instance will restart after its cooldown. You can start it manually before then.'
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{label}</dt>
      <dd className="flex items-center gap-1.5 text-strong">{children}</dd>
    </>
  )
}
