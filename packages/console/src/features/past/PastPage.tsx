import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { vpcLink } from '#/features/vpcs/links.ts'
import { ListPage } from '#/kit/list/ListPage.tsx'
import { ResourceTable } from '#/kit/list/ResourceTable.tsx'
import { useListPage } from '#/kit/list/use-list-page.ts'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { buttonClass } from '#/ui/Button.tsx'
import { formatDate, formatTimeToSecond } from '#/ui/data/format.ts'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { Note } from '#/ui/feedback/Note.tsx'
import { pastColumns } from './columns.tsx'
import { MomentForm } from './MomentForm.tsx'
import { kindOf, momentOf, pastObjects, type PastSearch } from './queries.ts'

const nouns = { instance: 'Instances', disk: 'Disks', 'vpc-firewall-rule': 'Firewall rules' } as const

interface Props {
  project: string
  search: PastSearch
}

/** A list of a project as it was at a moment, which the URL names. Nothing in it can be changed. */
export function PastPage({ project, search }: Props) {
  const navigate = useNavigate()
  const [now] = useState(() => new Date())
  const at = momentOf(search)
  const kind = kindOf(search)
  return (
    <ListPage
      title={`${nouns[kind]} at a moment`}
      docs={
        <DocsPopover topic="activity" page="history#at-that-time">
          What was there at a moment, as the records of changes tell. They are kept for as long as the
          installation is set to. States that the platform alone changed are kept for less long.
        </DocsPopover>
      }
    >
      <MomentForm
        key={search.at}
        at={at}
        now={now}
        onChoose={(moment) =>
          void navigate({
            to: '/projects/$project/past',
            params: { project },
            search: { ...search, page: undefined, at: moment.toISOString() },
          })
        }
      />
      {at ? (
        <PastList project={project} search={search} at={at} />
      ) : (
        <EmptyState title="Choose a moment" action={<BackToNow project={project} search={search} />}>
          Shows what was there then, and what became of it.
        </EmptyState>
      )}
    </ListPage>
  )
}

function PastList({ project, search, at }: Props & { at: Date }) {
  const kind = kindOf(search)
  const noun = nouns[kind]
  return (
    <>
      <Note
        kind="busy"
        className="mb-4"
        title={`This is the past: ${formatDate(at)}, ${formatTimeToSecond(at)}`}
        action={<BackToNow project={project} search={search} />}
      >
        {noun} as they were then. Nothing can be changed here.
      </Note>
      <ResourceTable
        label={`${noun} at a moment`}
        list={useListPage(pastObjects(project, search, at))}
        columns={pastColumns[kind]}
        empty={
          <EmptyState title={`No ${noun.toLowerCase()} at that moment`}>Choose another moment.</EmptyState>
        }
      />
    </>
  )
}

function BackToNow({ project, search }: Props) {
  const kind = kindOf(search)
  const list =
    kind === 'vpc-firewall-rule'
      ? vpcLink(project, search.vpc ?? '')
      : ({
          to: kind === 'disk' ? '/projects/$project/disks' : '/projects/$project/instances',
          params: { project },
        } as const)
  return (
    <PageLink {...list} className={buttonClass()}>
      Back to now
    </PageLink>
  )
}
