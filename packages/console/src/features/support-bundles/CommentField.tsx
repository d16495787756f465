import { bundleCommentProblem } from '@gantry/api/system/support-bundle.rules'
import { TextField } from '#/kit/forms/fields.tsx'

/** The purpose of the bundle. */
export const CommentField = () => (
  <TextField
    name="comment"
    optional
    multiline
    hint="Shown in the list of bundles. It is not part of the archive."
    problem={bundleCommentProblem}
  />
)
