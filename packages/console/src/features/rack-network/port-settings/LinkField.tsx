import { ChoiceField } from '#/features/common/forms/choice-fields.tsx'

/** The link that a part belongs to. */
export const LinkField = ({ links }: { links: readonly string[] }) => (
  <ChoiceField
    name="linkName"
    label="Link"
    placeholder="Select a link"
    options={links.map((value) => ({ value, label: value }))}
  />
)
