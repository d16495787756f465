// @chunk apart: of a button at the end of the form of a new instance.
import * as op from '@gantry/api/client/operations.gen'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useFormContext, useWatch } from 'react-hook-form'
import type { Send } from '#/data/client.ts'
import { useOp } from '#/data/use-op.ts'
import { allGroups } from '#/features/affinity/queries.ts'
import { allProjectImages, allSiloImages } from '#/features/images/queries.ts'
import { FixedFields } from '#/features/templates/FixedFields.tsx'
import { templateLink } from '#/features/templates/links.ts'
import { useWhyNotSave } from '#/features/templates/parts.tsx'
import {
  inScope,
  type Template,
  templateAt,
  type TemplateField,
  type TemplateReference,
} from '#/features/templates/queries.ts'
import { settingsWords } from '#/features/templates/settings-words.ts'
import { linkedSuccessMessage } from '#/kit/feedback/success-message.tsx'
import { RadioField } from '#/kit/forms/choice-fields.tsx'
import { DescriptionField, NameField } from '#/kit/forms/fields.tsx'
import { SideForm } from '#/kit/forms/SideForm.tsx'
import { Note } from '#/ui/feedback/Note.tsx'
import { userDataOf } from '../user-data/user-data.ts'
import type { InstanceValues } from '../values.ts'
import { notKept, settingsFrom } from './template-values.ts'

interface Props {
  project: string
  template: Template | undefined
  onClose: () => void
}

interface Values {
  target: 'new' | 'used'
  where: 'project' | 'silo'
  name: string
  description: string
  fixed: TemplateField[]
}

/** Saves what the form around it holds, as a new template or in place of the one that it was filled from. */
export function SaveTemplateForm({ project, template, onClose }: Props) {
  const values = useFormContext<InstanceValues>().getValues()
  const create = useOp(op.instanceTemplateCreate)
  const update = useOp(op.instanceTemplateUpdate)
  const references = useOffered(project, template)
  const words = settingsWords({
    settings: settingsFrom(values, {
      userData: values.userDataFrom === 'none' ? undefined : 'x',
      kept: template?.settings,
    }),
    references,
  })

  async function save({ target, where, name, description, fixed }: Values, send?: Send) {
    const settings = settingsFrom(values, { userData: await userDataOf(values), kept: template?.settings })
    if (template && target === 'used')
      return update.run({ ...templateAt(undefined, template.id), body: { settings, fixed } }, send)
    return create.run(
      { ...inScope(where === 'silo' ? undefined : project), body: { name, description, settings, fixed } },
      send,
    )
  }

  return (
    <SideForm<Values, Template>
      title="Save as template"
      submitLabel="Save template"
      pendingLabel="Saving template"
      context="What the form holds now"
      initial={{
        target: 'new',
        where: 'project',
        name: '',
        description: '',
        fixed: [...(template?.fixed ?? [])],
      }}
      save={save}
      saved={({ name, projectId }) =>
        linkedSuccessMessage(
          'instance template',
          name,
          'saved',
          templateLink(projectId === null ? undefined : project, name),
        )
      }
      closeTo={onClose}
      onSaved={onClose}
      disabled={useWhyNotSave(project)}
    >
      <Target project={project} template={template} />
      <FixedFields words={words} />
      <Note title="Not kept">
        <ul className="list-disc pl-5">
          {notKept(values).map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ul>
        {values.userDataFrom !== 'none' && (
          <p>Whoever may see the template can read its user data. Keep no passwords or keys in it.</p>
        )}
      </Note>
    </SideForm>
  )
}

function Target({ project, template }: Pick<Props, 'project' | 'template'>) {
  const target = useWatch<Values, 'target'>({ name: 'target' })
  const whyNotInSilo = useWhyNotSave(undefined)
  return (
    <>
      {template && (
        <RadioField
          name="target"
          label="Save as"
          options={[
            { value: 'new', label: 'A new template' },
            { value: 'used', label: `Template ${template.name}, in place of what it keeps` },
          ]}
        />
      )}
      {(!template || target === 'new') && (
        <>
          <NameField name="name" />
          <DescriptionField name="description" />
          {whyNotInSilo === undefined && (
            <RadioField
              name="where"
              label="Used in"
              options={[
                { value: 'project', label: `Project ${project}` },
                { value: 'silo', label: 'All projects of the silo' },
              ]}
            />
          )}
        </>
      )}
    </>
  )
}

/** Names of what the form can refer to by id. */
function useOffered(project: string, template: Template | undefined): TemplateReference[] {
  const { data: siloImages } = useSuspenseQuery(allSiloImages)
  const { data: projectImages } = useSuspenseQuery(allProjectImages(project))
  const { data: groups } = useSuspenseQuery(allGroups('anti-affinity', project))
  const named =
    (field: TemplateField, kind: TemplateReference['kind']) =>
    ({ id, name }: { id: string; name: string }): TemplateReference => ({
      field,
      kind,
      id,
      name,
      isGone: false,
    })
  return [
    ...(template?.references ?? []),
    ...[...siloImages, ...projectImages].map(named('boot_source', 'image')),
    ...groups.map(named('anti_affinity_groups', 'anti-affinity-group')),
  ]
}
