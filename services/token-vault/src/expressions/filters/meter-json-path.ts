import { jsonpath, type JSONPathNode, type JSONPathQuery } from 'json-p3';

import type { JsonValue } from '../../values/json-value.ts';
import { costOfNames } from '../json-cost.ts';
import { WorkBudget } from '../work-budget.ts';

const { expressions, selectors } = jsonpath;

type Selector = JSONPathQuery['segments'][number]['selectors'][number];
type Expression = InstanceType<typeof expressions.FilterExpression>;
type Operand = InstanceType<typeof expressions.RelativeQuery | typeof expressions.RootQuery>;

/**
 * Units of work for one node that a query comes to: about what it takes longer than to look at a character. What lies
 * deeper costs more, because the library hands every node up through all the levels above it.
 */
const workPerNode = 700;
const workPerLevel = 30;

/**
 * The library bounds how deep a query goes, not how much it does, and a short one such as `$..*..*..[?count($..*) > 1]`
 * does the third power of what it is given. So every selector of the compiled query, also inside its filters, is made
 * to pay for the nodes that it is about to look at. A query runs to its end without a pause, hence one current meter.
 */
export function meter(query: JSONPathQuery): (root: JsonValue, work: WorkBudget) => Generator<JsonValue> {
  const current = { work: new WorkBudget(0) };
  meterQuery(query, current);
  return function* run(root, work) {
    current.work = work;
    for (const node of query.lazyQuery(root)) yield node.value as JsonValue;
  };
}

interface Meter {
  work: WorkBudget;
}

function meterQuery(query: JSONPathQuery, current: Meter): void {
  for (const segment of query.segments) {
    for (const selector of segment.selectors) {
      meterSelector(selector, current);
      if (selector instanceof selectors.FilterSelector) meterExpression(selector.expression, current);
    }
  }
}

function meterSelector(selector: Selector, current: Meter): void {
  const resolve = selector.resolve.bind(selector);
  const one = selector instanceof selectors.NameSelector || selector instanceof selectors.IndexSelector;
  selector.resolve = (node: JSONPathNode) => {
    const children = one ? 0 : childCount(node.value, current.work);
    current.work.spend((1 + children) * (workPerNode + workPerLevel * node.location.length));
    return resolve(node);
  };
}

function meterExpression(expression: Expression, current: Meter): void {
  if (expression instanceof expressions.LogicalExpression) meterExpression(expression.expression, current);
  else if (expression instanceof expressions.PrefixExpression) meterExpression(expression.right, current);
  else if (expression instanceof expressions.InfixExpression) {
    meterExpression(expression.left, current);
    meterExpression(expression.right, current);
  } else if (expression instanceof expressions.FunctionExtension) {
    for (const argument of expression.args) meterExpression(argument, current);
  } else if (expression instanceof expressions.RelativeQuery || expression instanceof expressions.RootQuery) {
    meterQuery(expression.path, current);
    meterOperand(expression, current);
  }
}

/** Comparing two values looks at all of both: `$..[?$.a == $.b]` does so once per node. */
function meterOperand(operand: Operand, current: Meter): void {
  const evaluate = operand.evaluate.bind(operand);
  operand.evaluate = (context) => {
    const nodes = evaluate(context);
    if (operand.path.singularQuery())
      for (const node of nodes.nodes) current.work.spendOn(node.value as JsonValue);
    return nodes;
  };
}

function childCount(value: unknown, work: WorkBudget): number {
  if (Array.isArray(value)) return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  const { length } = Object.keys(value);
  work.spend(costOfNames(length));
  return length;
}
