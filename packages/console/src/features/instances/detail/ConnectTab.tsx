import { useSuspenseQuery } from '@tanstack/react-query'
import { buttonClass } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { PathLink } from '../../common/PathLink.tsx'
import { reachableIps } from '../../networking/external-ips.ts'
import { instanceExternalIps, instancePaths } from '../queries.ts'
import { CliCommand } from '../serial/CliCommand.tsx'

interface Props {
  project: string
  instance: string
}

/** The ways to a shell on an instance. */
export function ConnectTab(props: Props) {
  return (
    <div className="max-w-free space-y-5">
      <SerialConsole {...props} />
      <Ssh {...props} />
    </div>
  )
}

function SerialConsole({ project, instance }: Props) {
  return (
    <Card
      title="Serial console"
      description="Connect to the console of the instance. No network is needed."
      actions={
        <>
          <CliCommand project={project} instance={instance} />
          <PathLink
            to={instancePaths.serialConsole(project, instance)}
            className={buttonClass({ kind: 'primary' })}
          >
            Connect
          </PathLink>
        </>
      }
    >
      <p className="text-sm text-muted">The console is available while the instance runs.</p>
    </Card>
  )
}

function Ssh({ project, instance }: Props) {
  const { data } = useSuspenseQuery(instanceExternalIps(project, instance))
  const ip = reachableIps(data.items)[0]?.ip
  return (
    <Card title="SSH" description="If the firewall rules allow SSH, connect from a shell.">
      <pre className="overflow-x-auto rounded-control border border-line bg-sunken px-3 py-2.5 text-strong">
        ssh [username]@{ip ?? '[external IP]'}
      </pre>
      {!ip && (
        <p className="mt-2 text-sm text-muted">
          This instance has no external IP. Add one on the{' '}
          <PathLink to={instancePaths.networking(project, instance)} className="link">
            networking tab
          </PathLink>
          .
        </p>
      )}
    </Card>
  )
}
