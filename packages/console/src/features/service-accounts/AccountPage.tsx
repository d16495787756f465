import { Outlet } from '@tanstack/react-router'
import { WithActivity } from '#/features/activity/WithActivity.tsx'
import { roleText } from '#/features/access/role-words.tsx'
import { actionMenu } from '#/kit/list/row-menu.tsx'
import { DescriptionItem, TimeItems } from '#/kit/page/plate-items.tsx'
import { ResourcePage } from '#/kit/page/ResourcePage.tsx'
import { useViewed } from '#/kit/page/use-viewed.ts'
import { CopyableId } from '#/ui/CopyButton.tsx'
import { DataItem, DataPlate } from '#/ui/data/DataPlate.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { AccountTokens } from './AccountTokens.tsx'
import { accountLink, accountsLink } from './links.ts'
import { AccountDocs, useWhyNotManage } from './parts.tsx'
import { accountView } from './queries.ts'
import { useAccountActions } from './use-account-actions.tsx'

interface Props {
  project?: string
  account: string
  search: React.ComponentProps<typeof WithActivity>['asked']
}

export function AccountPage({ project, account: name, search }: Props) {
  const { data: account, onDelete } = useViewed(accountView(project, name), accountsLink(project))
  const actions = useAccountActions(project, onDelete)
  const whyNot = useWhyNotManage(project)
  const level = project === undefined ? 'silo' : 'project'
  return (
    <>
      <ResourcePage
        title={account.name}
        docs={<AccountDocs />}
        kind="Service account"
        menu={() => actionMenu(actions(account))}
        plate={
          <DataPlate>
            <DataItem label="Role">
              {account.roleName ? roleText(level, account.roleName) : 'None yet'}
            </DataItem>
            <DescriptionItem description={account.description} />
            <DataItem label="ID">
              <CopyableId id={account.id} max={24} />
            </DataItem>
            <TimeItems of={account} changed="Updated" />
          </DataPlate>
        }
      >
        <div className="mt-4">
          <WithActivity
            label="Service account"
            contents="Access tokens"
            link={accountLink(project, name)}
            activityLink={{ ...accountLink(project, name), search: { tab: 'activity' } }}
            scope={
              project === undefined
                ? { of: 'silo', object: account.id }
                : { of: 'project', project, object: account.id }
            }
            asked={search}
          >
            {whyNot === undefined ? (
              <AccountTokens project={project} account={name} />
            ) : (
              <EmptyState title="Access tokens are for those who manage this account">{whyNot}</EmptyState>
            )}
          </WithActivity>
        </div>
      </ResourcePage>
      {/* The form opens over the page. */}
      <Outlet />
    </>
  )
}
