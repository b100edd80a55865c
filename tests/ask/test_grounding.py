"""Questions and how they are read: a table of readings, of questions asked back, and of refusals."""

from __future__ import annotations

import pytest

from backedge.ask.grounding.ground import ground
from backedge.ask.grounding.vocabulary import KEYWORDS
from backedge.ask.grounding.words import tokenise
from backedge.ask.intent import Ambiguous, Intent, NotUnderstood
from backedge.semantic.compile import compile_spec
from backedge.semantic.spec import Compiled
from tests.ask.grounding_shop import CATALOG, MODEL, TODAY, VALUES

READ = """
total sales                                           => total_sales
ToTaL   SALES,,,                                      => total_sales
revenue                                               => total_sales
Sales of all orders                                   => total_sales
refund rate by channel                                => refund_rate by channel
total sales by country                                => total_sales by country
what's the total sales by country please?             => total_sales by country
could you show me our total sales by country          => total_sales by country
orders.total_sales by customers.country               => total_sales by country
total sales per nation                                => total_sales by country
total sales for each channel                          => total_sales by channel
total sales by country and channel                    => total_sales by country, channel
total sales and order count by country                => total_sales, order_count by country
total sales, quantity by country and channel          => total_sales, quantity by country, channel
item revenue by product group                         => item_revenue by category
units sold by category                                => quantity by category
shipping per channel                                  => shipping_fees by channel
sum of shipping fees by country                       => shipping_fees by country
total shipping by country                             => shipping_fees by country
total sales by gift                                   => total_sales by is_gift
total sales by signup date                            => total_sales by signup_date
stock on hand by warehouse                            => stock_on_hand by warehouse
total sales by month                                  => total_sales by order_date.month
total sales by week                                   => total_sales by order_date.week
total sales quarterly                                 => total_sales by order_date.quarter
quarterly total sales                                 => total_sales by order_date.quarter
monthly total sales                                   => total_sales by order_date.month
total monthly sales                                   => total_sales by order_date.month
yearly order count by channel                         => order_count by order_date.year, channel
customer count by signup_date year                    => customer_count by signup_date.year
how many orders                                       => order_count
how many orders in total                              => order_count
number of orders by channel                           => order_count by channel
count of customers by country                         => customer_count by country
how many clients do we have                           => customer_count
how many distinct products                            => product_count
number of unique customers                            => customer_count
how many completed orders                             => completed_orders
how many orders were completed                        => order_count; status is completed
orders by country                                     => order_count by country
average sales by channel                              => average_sales by channel
avg sales by channel                                  => average_sales by channel
mean sales                                            => average_sales
average shipping fees                                 => average_fee
max unit price by category                            => max_unit_price by category
highest unit price                                    => max_unit_price
maximum of sales                                      => max_sales
average age by country                                => average_age by country
total sales by country, top 5                         => total_sales by country; top 5
top 5 countries by total sales                        => total_sales by country; top 5
top five countries by total sales                     => total_sales by country; top 5
the 5 biggest categories by units sold                => quantity by category; top 5
bottom 3 categories by quantity                       => quantity by category; bottom 3
worst twenty-five categories by quantity              => quantity by category; bottom 25
top 5 countries by average sales                      => average_sales by country; top 5
top 3 channels by number of orders                    => order_count by channel; top 3
which country has the highest total sales             => total_sales by country; top 1
which country has the lowest average sales            => average_sales by country; bottom 1
which countries have the highest total sales          => total_sales by country; ordered by total_sales descending
which country has the most customers                  => customer_count by country; top 1
fewest orders by channel                              => order_count by channel; bottom 1
what is the largest order count by country            => order_count by country; top 1
total sales by country, highest first                 => total_sales by country; ordered by total_sales descending
total sales by channel sorted by average age => total_sales, average_age by channel; ordered by average_age descending
total sales by country sorted by country              => total_sales by country; ordered by country ascending
total sales by country ordered by total sales ascending => total_sales by country; ordered by total_sales ascending
total sales in Germany                                => total_sales; country is Germany
Germany total sales                                   => total_sales; country is Germany
total sales in cote d'ivoire                          => total_sales; country is Côte d'Ivoire
total sales in US                                     => total_sales; country is US
total sales in the us                                 => total_sales; country is US
SHOW US total sales                                   => total_sales
total sales for web                                   => total_sales; channel in Web, web
quantity of kites                                     => quantity; product_name is Kite
quantity for "Tea & Coffee"                           => quantity; category is Tea & Coffee
high quantity                                         => quantity; category is High (>10)
total sales for Germany and France                    => total_sales; country in Germany, France
total sales in Germany or in France by channel        => total_sales by channel; country in Germany, France
Consumer and Corporate total sales                    => total_sales; segment in Consumer, Corporate
total sales only for Germany                          => total_sales; country is Germany
total sales not in Germany                            => total_sales; country is not Germany
total sales except Germany                            => total_sales; country is not Germany
total sales excluding Germany and France              => total_sales; country not in Germany, France
total sales not in Germany, in 2023                   => total_sales; country is not Germany; order_date in 2023
total sales where country = Germany                   => total_sales; country is Germany
total sales where country != Germany                  => total_sales; country is not Germany
total sales where country isn't Germany               => total_sales; country is not Germany
total sales where channel is not web                  => total_sales; channel not in Web, web
total sales for gift                                  => total_sales; is_gift is true
total sales not gift                                  => total_sales; is_gift is not true
total sales where gift is no                          => total_sales; is_gift is false
total sales for order 20                              => total_sales; order_id is 20
total sales for customers 5, 6 and 7                  => total_sales; customer_id in 5, 6, 7
big orders total sales                                => total_sales; big_orders
number of customers with age over 30                  => customer_count; age over 30
number of customers with age between 20 and 30        => customer_count; age at least 20 and at most 30
countries with total sales over 1.5 million           => total_sales by country; total_sales over 1500000
countries with total sales > $1,000                   => total_sales by country; total_sales over 1000
total sales by country over 2k                        => total_sales by country; total_sales over 2000
countries with more than 5 orders                     => order_count by country; order_count over 5
countries where order count is at most ten            => order_count by country; order_count at most 10
total sales in 2023                                   => total_sales; order_date in 2023
total sales 2023                                      => total_sales; order_date in 2023
total sales in March 2023 by channel                  => total_sales by channel; order_date in March 2023
total sales Q2 2023                                   => total_sales; order_date in Q2 2023
total sales in 2022 and in 2023                       => total_sales; order_date in 2022 or 2023
total sales since 2023                                => total_sales; order_date since 2023
total sales from 2022 to 2023                         => total_sales; order_date in 2022 to 2023
customers 2023 total sales                            => total_sales by customer_id; order_date in 2023
total sales since 2022 and before 2024 => total_sales; order_date since 2022; order_date before 2024
countries with total sales over 2000 => total_sales by country; total_sales over 2000
total sales not in 2023                               => total_sales; order_date not in 2023
total sales last month                                => total_sales; order_date in last month
total sales in 13/05/2023                             => total_sales; order_date in 2023-05-13
total sales in the last 1 month                       => total_sales; order_date in last 1 month
total sales in March and April 2023                   => total_sales; order_date in March 2023 or April 2023
total sales over the last 3 months by channel => total_sales by channel; order_date in last 3 months
order count after 5 March 2023                        => order_count; order_date after 2023-03-05
total sales where signup date in 2023                 => total_sales; signup_date in 2023
number of customers with signup date in 2023          => customer_count; signup_date in 2023
revenue by channel for Germany in 2023, top 3 => total_sales by channel; top 3; country is Germany; order_date in 2023
which 3 countries had the highest total sales in 2023 => total_sales by country; top 3; order_date in 2023
countries ranked by total sales                       => total_sales by country; ordered by total_sales descending
total sales and stock on hand                         => total_sales, stock_on_hand
total sales when country is Germany and channel is web => total_sales; country is Germany; channel in Web, web
total sales for category Books, Toys                  => total_sales; category in Books, Toys
countries                                             => list of country
list all countries                                    => list of country
total sales by contry                                 => total_sales by country
totl sales by country                                 => total_sales by country
"""
ASKED = """
sales by country                  => measure:sale = orders.total_sales, orders.average_sales, orders.max_sales
number of orders by status        => by:status = orders.status, items.status
total sales for returned          => value:returned = orders.status, items.status
total sales from 2023             => date = orders.order_date in, orders.order_date since
item revenue in 2023              => date = orders.order_date, customers.signup_date
total sales in the past month     => date = orders.order_date last_month, orders.order_date trailing_1_month
total sales on 06/05/2024         => date = orders.order_date 2024-05-06, orders.order_date 2024-06-05
gift total sales                  => by:gift = orders.is_gift, only orders.is_gift
total sales by country and gift   => by:gift = orders.is_gift, only orders.is_gift
total sales for all countries     => by:country = total, customers.country
"""
REFUSED = """
total sales by planet                          => 'planet'
total sales never in Germany                   => 'never'
total sales by country in May 24               => the year of 'may 24' is not clear
total sales last summer                        => no fixed days
total sales in the last 24 hours               => time of day
total sales on 31 April 2023                   => April 2023 has 30 days
total sales in fiscal year 2023                => nothing says in which month
customers without orders                       => leaves out
customers with no orders                       => 'no' has nothing
margin by category                             => measures 'margin'
average total sales by country                 => no average of 'total sales'
average of total sales by country              => no average of 'total sales'
average units sold                             => no average of 'units sold'
total refund rate                              => no total of 'refund rate'
median sales                                   => measures 'median sales'
average monthly sales                          => by month
how many warehouses                            => counts 'warehouses'
age by country                                 => measures 'age'
total sales by country and total               => 'total' is of
total sales by warehouse                       => share no entity
stock on hand in 2023                          => no date dimension
total sales in 2019                            => 2022-01-03 to 2024-05-14
total sales today                              => 2022-01-03 to 2024-05-14
total sales in 2022 by country in 2023         => no day is both
total sales not in Germany and in 2023         => reaches as far
total sales in Germany or by channel           => 'or' is only understood
total sales, top 5                             => needs a dimension
top 0 countries by total sales                 => not a number of rows
top -5 countries by total sales                => not a number of rows
total sales in                                 => 'in' restricts
total sales not                                => needs a value
total sales not by country                     => leaves out
total sales for customer                       => which customer
orders over 1000                               => it is not clear what of 'orders'
total sales by country for customers over 30   => it is not clear what of 'customers'
total sales by average age                     => nothing can be grouped by it
completed by country                           => no measure is named
order count by order count                     => nothing can be grouped by it
quantity for Kite or Germany                   => 'or' is only understood
total sales by country over 2023               => may be a year or a limit
total sales over 2023 by country               => may be a year or a limit
total sales before 2022 and after 2023         => no day is both
total sales over 5                             => by what
5                                              => '5' stands for
Germany                                        => no measure is named
SELECT * FROM orders                           => 'SELECT'
average                                        => no word that names
what is the                                    => no word that names
🙂                                             => no words
"""


def rows(table: str) -> list[tuple[str, str]]:
    found = [line.partition("=>") for line in table.splitlines() if "=>" in line]
    return [(question.strip(), wanted.strip()) for question, _, wanted in found]


@pytest.mark.parametrize(("question", "reading"), rows(READ))
def test_it_is_read_as(question: str, reading: str) -> None:
    found = ground(question, CATALOG, VALUES, today=TODAY)
    assert isinstance(found, Intent), found
    assert found.reading == reading
    assert found.draft is not None
    assert isinstance(compile_spec(MODEL, found.draft), Compiled)
    _every_word_has_its_part(found)


def _every_word_has_its_part(intent: Intent) -> None:
    closed = {word for words in KEYWORDS for word in words}
    said = [word.folded for token in intent.tokens for word in tokenise(token.text)]
    assert said == [word.folded for word in tokenise(intent.question)]
    filler = {word.folded for token in intent.tokens if token.role == "filler" for word in tokenise(token.text)}
    assert filler <= closed


@pytest.mark.parametrize(("question", "wanted"), rows(ASKED))
def test_it_is_asked_back(question: str, wanted: str) -> None:
    found = ground(question, CATALOG, VALUES, today=TODAY)
    assert isinstance(found, Ambiguous), found
    assert f"{found.slot} = {', '.join(option.value for option in found.options)}" == wanted


@pytest.mark.parametrize(("question", "reason"), rows(REFUSED))
def test_it_is_refused(question: str, reason: str) -> None:
    found = ground(question, CATALOG, VALUES, today=TODAY)
    assert isinstance(found, NotUnderstood), found
    assert reason in found.reason


def test_a_refusal_offers_questions_that_do_work() -> None:
    found = ground("total sales by planet", CATALOG, VALUES, today=TODAY)
    assert isinstance(found, NotUnderstood)
    assert len(found.instead) == 3
    assert all(isinstance(ground(question, CATALOG, VALUES, today=TODAY), Intent) for question in found.instead)


def test_a_ranking_without_a_measure_offers_what_adds_up() -> None:
    found = ground("top 5 countries", CATALOG, VALUES, today=TODAY)
    assert isinstance(found, Ambiguous)
    assert found.slot == "ranked by"
    assert [o.value for o in found.options][:2] == [
        "orders.total_sales",
        "orders.order_count",
    ]


def test_the_table_is_large_enough_to_mean_something() -> None:
    assert len(rows(READ)) >= 80
    assert len(rows(REFUSED)) >= 30


@pytest.mark.parametrize(
    ("question", "days"),
    [
        ("total sales in March by country", ["March_2024", "March_2023", "March_2022"]),
        (
            "total sales from March",
            ["March_2024 in", "March_2023 in", "since_March_2024 since", "since_March_2023 since"],
        ),
        (
            "total sales from 03/04/2023",
            ["2023-04-03 in", "2023-03-04 in", "since_2023-04-03 since", "since_2023-03-04 since"],
        ),
    ],
)
def test_words_of_time_with_several_meanings_offer_each(question: str, days: list[str]) -> None:
    found = ground(question, CATALOG, VALUES, today=TODAY)
    assert isinstance(found, Ambiguous)
    assert found.prompt.startswith("Which days does")
    assert [option.value for option in found.options] == [f"orders.order_date {day}" for day in days]
