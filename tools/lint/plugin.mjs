// Our rules for oxlint (.oxlintrc.json), where it has no equivalent.
import path from 'node:path'
import { commentWordsRule } from './comment-words.mjs'
import { circleProblem } from './feature-circles.mjs'
import { wallProblem } from './walls.mjs'

const root = path.join(import.meta.dirname, '../..')

/**
 * A rule for every static and dynamic import.
 * @param {(from: string, specifier: string) => string | undefined} problem
 */
const importRule = (problem) => ({
  /** @param {import('./comment-words.mjs').RuleContext} context */
  create(context) {
    const from = path.relative(root, context.filename)
    /** @param {{ source?: { value: unknown } | null }} node */
    const check = ({ source }) => {
      const message = typeof source?.value === 'string' && problem(from, source.value)
      if (message) context.report({ node: source, message })
    }
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
    }
  },
})

/** `as never` is assignable to every type, so it silences the compiler even more than `as any`. */
const noNeverCast = {
  /** @param {import('./comment-words.mjs').RuleContext} context */
  create: (context) => ({
    /** @param {{ typeAnnotation: { type: string } }} node */
    TSAsExpression(node) {
      if (node.typeAnnotation.type === 'TSNeverKeyword')
        context.report({ node, message: 'Find the type that makes a cast to never unnecessary.' })
    },
  }),
}

export default {
  meta: { name: 'gantry' },
  rules: {
    walls: importRule(wallProblem),
    'feature-circles': importRule((from, specifier) => circleProblem(root, from, specifier)),
    'no-never-cast': noNeverCast,
    'comment-words': commentWordsRule,
  },
}
