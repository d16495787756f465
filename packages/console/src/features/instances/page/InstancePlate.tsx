import { isTransitioning } from '@gantry/api/compute/instance.rules'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { TagsItem } from '#/features/tags/TagsItem.tsx'
import { DescriptionItem } from '#/kit/page/plate-items.tsx'
import { reachableIps } from '#/features/addresses/queries.ts'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { IpLink } from '#/kit/links/IpLink.tsx'
import { failureLines } from '../failure-details.ts'
import { VpcName } from '#/features/vpcs/names.tsx'
import { CopyableId, CopyButton } from '#/ui/CopyButton.tsx'
import { DataItem, DataPlate } from '#/ui/data/DataPlate.tsx'
import { DateTime } from '#/ui/data/DateTime.tsx'
import { Figure, Memory } from '#/ui/data/Figures.tsx'
import { plural } from '#/ui/data/format.ts'
import { Spinner } from '#/ui/feedback/Spinner.tsx'
import { Tooltip } from '#/ui/overlays/Tooltip.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'
import { InstancePlate as StateOf, TimeInState } from '../parts.tsx'
import { instanceLink } from '../links.ts'
import { type Instance, instanceExternalIps, instanceInterfaces } from '../queries.ts'
import { Note } from '#/ui/feedback/Note.tsx'
import { AutoRestart } from './AutoRestart.tsx'

interface Props {
  project: string
  instance: Instance
}

/** An instance's fields, below its name. */
export function InstancePlate({ project, instance }: Props) {
  const { name, ncpus, memory, runState, description, timeCreated, id, hostname } = instance
  return (
    <DataPlate
      columns={3}
      summary={
        <>
          <StateOf state={runState} />
          <span>
            <Figure value={ncpus} unit={plural('vCPU', ncpus)} />, <Memory bytes={memory} />
          </span>
        </>
      }
    >
      <DataItem label="CPU">
        <Figure value={ncpus} unit={plural('vCPU', ncpus)} />
      </DataItem>
      <DataItem label="RAM">
        <Memory bytes={memory} />
      </DataItem>
      <DataItem label="State">
        <StateOf state={runState} />
        <TimeInState instance={instance} />
        {isTransitioning(runState) && (
          <Tooltip content="Refreshes automatically while the state changes" describes={false}>
            <span>
              <Spinner />
            </span>
          </Tooltip>
        )}
        {runState === 'failed' && <AutoRestart project={project} instance={instance} />}
      </DataItem>
      <DataItem label="VPC">
        <PrimaryVpc project={project} instance={name} />
      </DataItem>
      <DescriptionItem description={description} />
      <DataItem label="Created">
        <DateTime value={timeCreated} />
      </DataItem>
      <DataItem label="ID">
        <CopyableId id={id} max={24} />
      </DataItem>
      <DataItem label="External IPs">
        <ExternalIps project={project} instance={name} />
      </DataItem>
      <DataItem label="Hostname">
        <span className="font-mono text-[0.8125rem]">{hostname}</span>
        <CopyButton text={hostname} />
      </DataItem>
      <TagsItem kind="instance" id={id} />
    </DataPlate>
  )
}

interface Named {
  project: string
  instance: string
}

function PrimaryVpc({ project, instance }: Named) {
  const { data: interfaces } = useSuspenseQuery(instanceInterfaces(project, instance))
  const primary = interfaces.items.find((each) => each.primary)
  return primary ? <VpcName project={project} id={primary.vpcId} missing={<EmptyCell />} /> : <EmptyCell />
}

/** More would push everything else off the plate. */
const maxShown = 2

function ExternalIps({ project, instance }: Named) {
  const { data } = useSuspenseQuery(instanceExternalIps(project, instance))
  const ips = reachableIps(data.items)
  if (ips.length === 0) return <EmptyCell />
  return (
    <>
      {ips.slice(0, maxShown).map(({ ip }, index) => (
        <Fragment key={ip}>
          {index > 0 && <span className="text-faint">/</span>}
          <IpLink ip={ip} />
        </Fragment>
      ))}
      {ips.length > maxShown && (
        <>
          <span className="text-faint">/</span>
          <PageLink
            {...instanceLink(project, instance, 'networking')}
            aria-label="All external IPs"
            className="link px-1"
          >
            …
          </PageLink>
        </>
      )}
    </>
  )
}

/** Why an instance failed or cannot continue, where the server says: the cause, the remedy, and who was notified. */
export function FailureNote({ instance: { runState, failure } }: { instance: Instance }) {
  if (!failure) return null
  const lines = failureLines(failure.details)
  return (
    <Note
      kind={runState === 'failed' ? 'fail' : 'busy'}
      title={runState === 'failed' ? 'This instance has failed' : 'This instance is paused'}
      className="mb-4"
    >
      <p>{failureText({ message: failure.message, help: failure.nextStep })}</p>
      {lines.length > 0 && (
        <details className="mt-1.5">
          <summary className="w-fit rounded-tag font-medium">Details</summary>
          <ul className="mt-1 list-disc pl-5">
            {lines.map(({ what, text }) => (
              <li key={`${what} ${text}`}>
                <span className="font-mono text-[0.8125rem]">{what}</span>: {text}
              </li>
            ))}
          </ul>
        </details>
      )}
    </Note>
  )
}
