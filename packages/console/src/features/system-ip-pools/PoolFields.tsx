import { DescriptionField, NameField } from '#/kit/forms/fields.tsx'
import { Note } from '#/ui/feedback/Note.tsx'

/** The fields shared by both forms. */
export const PoolFields = () => (
  <>
    <Note>Users of linked silos see the name and description when they choose a pool.</Note>
    <NameField name="name" />
    <DescriptionField name="description" />
  </>
)
