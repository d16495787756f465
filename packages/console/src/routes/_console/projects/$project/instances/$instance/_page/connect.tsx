import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useSimulated, useWhyLacking } from '#/data/fleet.ts'
import { reachableIps } from '#/features/addresses/queries.ts'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { instanceLink } from '#/features/instances/links.ts'
import { instanceExternalIps } from '#/features/instances/queries.ts'
import { CliCommand } from '#/features/instances/serial/CliCommand.tsx'
import { buttonClass } from '#/ui/Button.tsx'
import { Card } from '#/ui/data/Card.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'

const LastLog = lazyPart(() => import('#/features/instances/serial/LastLog.tsx'), 'LastLog')
const GuestAgentCard = lazyPart(
  () => import('#/features/instances/guest-agent/GuestAgentCard.tsx'),
  'GuestAgentCard',
)

export const Route = createFileRoute('/_console/projects/$project/instances/$instance/_page/connect')({
  staticData: {
    crumb: { label: 'Connect', to: '/projects/$project/instances/$instance/connect' },
    saysSimulated: true,
  },
  component: Connect,
})

/** The ways to open a shell on an instance. */
function Connect() {
  const params = Route.useParams()
  return (
    <div className="max-w-free space-y-5">
      <SerialConsole {...params} />
      <Screen {...params} />
      <Ssh {...params} />
      <GuestAgentCard {...params} />
    </div>
  )
}

interface Props {
  project: string
  instance: string
}

function SerialConsole({ project, instance }: Props) {
  return (
    <Card
      title="Serial console"
      description="Connect to the console of the instance. No network is needed."
      actions={
        <>
          <CliCommand project={project} instance={instance} />
          <PageLink
            {...instanceLink(project, instance, 'serial-console')}
            className={buttonClass({ kind: 'primary' })}
          >
            Connect
          </PageLink>
        </>
      }
    >
      <p className="text-sm text-muted">The console is available while the instance runs.</p>
      <LastLog project={project} instance={instance} />
    </Card>
  )
}

function Screen({ project, instance }: Props) {
  const whyNone = useWhyLacking('screens')
  return (
    <Card
      title="Screen"
      description="See the graphical screen of the instance, with its keyboard and pointer. No network is needed."
      actions={
        !whyNone && (
          <PageLink {...instanceLink(project, instance, 'screen')} className={buttonClass()}>
            Open screen
          </PageLink>
        )
      }
    >
      <p className="text-sm text-muted">
        {whyNone ? `${whyNone}.` : 'Several people can watch; one of them at a time has the keyboard.'}
      </p>
    </Card>
  )
}

function Ssh({ project, instance }: Props) {
  const { data } = useSuspenseQuery(instanceExternalIps(project, instance))
  const isSimulated = useSimulated()
  const ip = reachableIps(data.items)[0]?.ip
  return (
    <Card title="SSH" description="If the firewall rules allow SSH, connect from a shell.">
      <pre className="rounded-control border border-line bg-sunken px-3 py-2.5 wrap-anywhere whitespace-pre-wrap text-strong">
        ssh [username]@{ip ?? '[external IP]'}
      </pre>
      {isSimulated && (
        <p className="mt-2 text-sm text-muted">
          Nothing responds there, because the rack is simulated. The serial console works.
        </p>
      )}
      {!ip && (
        <p className="mt-2 text-sm text-muted">
          This instance has no external IP. Add one on the{' '}
          <PageLink {...instanceLink(project, instance, 'networking')} className="link">
            networking tab
          </PageLink>
          .
        </p>
      )}
    </Card>
  )
}
