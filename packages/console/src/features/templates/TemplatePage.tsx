import { templateFields, templateFieldWords } from '@gantry/api/compute/instance-template.rules'
import { Outlet } from '@tanstack/react-router'
import { WithActivity } from '#/features/activity/WithActivity.tsx'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { actionMenu } from '#/kit/list/row-menu.tsx'
import { DescriptionItem, TimeItems } from '#/kit/page/plate-items.tsx'
import { ResourcePage } from '#/kit/page/ResourcePage.tsx'
import { useViewed } from '#/kit/page/use-viewed.ts'
import { buttonClass } from '#/ui/Button.tsx'
import { CopyableId } from '#/ui/CopyButton.tsx'
import { DataItem, DataPlate } from '#/ui/data/DataPlate.tsx'
import { MiniTable } from '#/ui/data/MiniTable.tsx'
import { Tag } from '#/ui/data/Tag.tsx'
import { filledLink, templateLink, templatesLink } from './links.ts'
import { TemplateDocs } from './parts.tsx'
import { type Template, type TemplateField, templateView } from './queries.ts'
import { goneIn, settingsWords } from './settings-words.ts'
import { useTemplateActions } from './use-template-actions.tsx'

interface Props {
  project?: string
  template: string
  search: React.ComponentProps<typeof WithActivity>['asked']
}

/** What a template keeps, and what of it may be changed. */
export function TemplatePage({ project, template: name, search }: Props) {
  const { data: template, onDelete } = useViewed(templateView(project, name), templatesLink(project))
  const actions = useTemplateActions(project, onDelete)
  return (
    <>
      <ResourcePage
        title={template.name}
        docs={<TemplateDocs />}
        kind="Instance template"
        {...(project !== undefined && {
          actions: (
            <PageLink {...filledLink(project, template.id)} className={buttonClass({ kind: 'primary' })}>
              Use template
            </PageLink>
          ),
        })}
        menu={() => actionMenu(actions(template))}
        plate={
          <DataPlate>
            <DataItem label="Used in">
              {template.projectId === null ? 'All projects of the silo' : `Project ${project ?? ''}`}
            </DataItem>
            <DescriptionItem description={template.description} />
            <DataItem label="ID">
              <CopyableId id={template.id} max={24} />
            </DataItem>
            <TimeItems of={template} changed="Updated" />
          </DataPlate>
        }
      >
        <div className="mt-4">
          <WithActivity
            label="Instance template"
            contents="Settings"
            link={templateLink(project, name)}
            activityLink={{ ...templateLink(project, name), search: { tab: 'activity' } }}
            scope={
              project === undefined
                ? { of: 'silo', object: template.id }
                : { of: 'project', project, object: template.id }
            }
            asked={search}
          >
            <Settings template={template} />
          </WithActivity>
        </div>
      </ResourcePage>
      {/* The form opens over the page. */}
      <Outlet />
    </>
  )
}

interface Setting {
  field: TemplateField
  text: string
  isFixed: boolean
  gone: string | undefined
}

const columns = [
  { header: 'Setting', cell: ({ field }: Setting) => templateFieldWords[field] },
  {
    header: 'Kept',
    cell: ({ text, gone }: Setting) => (
      <span className="wrap-anywhere whitespace-normal">
        {text}
        {gone && (
          <span className="block text-sm text-fail-text">
            Its {gone} no longer exists. Edit the template.
          </span>
        )}
      </span>
    ),
  },
  { header: 'Can be changed', cell: ({ isFixed }: Setting) => (isFixed ? <Tag>No</Tag> : 'Yes') },
]

function Settings({ template }: { template: Template }) {
  const words = settingsWords(template)
  const settings = templateFields.map((field) => ({
    field,
    text: words[field],
    isFixed: template.fixed.includes(field),
    gone: goneIn(template, field),
  }))
  return <MiniTable label="Settings" columns={columns} items={settings} itemKey={({ field }) => field} />
}
